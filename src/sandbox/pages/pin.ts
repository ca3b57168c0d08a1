import {pinOnPage, setPinOnPage} from '../pin/page-exchange.ts'
import type {PlainReply, PlainRequest} from '../plain-http.ts'
import {Problem} from '../problems.ts'
import type {Service} from '../service.ts'
import {escapeHtml, page} from './html.ts'
import {readFormOrJson} from './read-form.ts'

/**
 * Where a cardholder's browser goes with a control id when it has no cryptography of its own: posted alone, the id
 * shows the PIN or a form for a new one, by its scope; posted with `pin`, it sets that PIN.
 */
export async function pinPage(service: Service, request: PlainRequest): Promise<PlainReply> {
  const {controlId = '', pin} = readFormOrJson(request)
  try {
    if (pin !== undefined) {
      await setPinOnPage(service, controlId, pin)
      return page(200, 'PIN', '<h1>PIN (sandbox)</h1>\n<p>The PIN is set.</p>')
    }
    const shown = await pinOnPage(service, controlId)
    return page(
      200,
      'PIN',
      shown === undefined ? pinForm(controlId) : `<h1>PIN (sandbox)</h1>\n<p>${shown.open()}</p>`,
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return page(error.status, 'PIN', `<p>${escapeHtml(error.message)}</p>`)
  }
}

function pinForm(controlId: string): string {
  return `<h1>New PIN (sandbox)</h1>
<form method="post" action="pin">
<input type="hidden" name="controlId" value="${escapeHtml(controlId)}">
<label>PIN <input name="pin" type="password" inputmode="numeric" pattern="[0-9]{4,12}" autocomplete="off" required></label>
<button>Set</button>
</form>`
}
