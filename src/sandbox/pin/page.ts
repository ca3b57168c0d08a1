import {pinProblem, Secret} from '../../card-crypto/index.ts'
import {sandboxNow} from '../clock.ts'
import {escapeHtml, page, readFormOrJson} from '../html-page.ts'
import {consume, liveControl, type PinControl} from '../pincontrol/operations.ts'
import type {PlainRequest, TextResponse} from '../plain-http.ts'
import {badRequest, conflict, notFound, Problem} from '../problems.ts'
import {tokenDigest} from '../seal.ts'
import type {Service} from '../service.ts'
import type {Transaction} from '../store/store.ts'
import {cardOfControl} from './operations.ts'

/**
 * The page for a browser that has a control id but no cryptography. If only the id is posted, it shows the PIN or a
 * form for a new one, depending on the id's scope. If `pin` is posted too, it sets that PIN.
 */
export async function pinPage(service: Service, request: PlainRequest): Promise<TextResponse> {
  const {controlId = '', pin} = readFormOrJson(request)
  try {
    if (pin !== undefined) {
      await setPinOnPage(service, controlId, pin)
      return page(200, 'PIN', '<h1>PIN (sandbox)</h1>\n<p>PIN set.</p>')
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

/** Returns the PIN and uses the control id. Undefined if the id is for setting a PIN; then the id stays valid. */
export function pinOnPage(service: Service, controlId: string): Promise<Secret | undefined> {
  return service.store.transaction(async tx => {
    const scope = (await tx.pinControls.get(tokenDigest(controlId)))?.scope
    if (scope === undefined) throw notFound('control id')
    const control = await live(service, tx, controlId, scope)
    if (scope === 'SET_PIN') return undefined
    const card = await cardOfControl(tx, control)
    if (card.pin === null) throw conflict('no-pin', 'The card has no PIN.')
    await consume(tx, control)
    return (await service.sealer(tx)).open(card.pin)
  })
}

/** Sets the PIN from the form. Uses the control id. */
export function setPinOnPage(service: Service, controlId: string, pin: string): Promise<void> {
  return service.store.transaction(async tx => {
    const control = await live(service, tx, controlId, 'SET_PIN')
    const card = await cardOfControl(tx, control)
    if (pinProblem(Buffer.from(pin))?.kind === 'malformed') {
      throw badRequest('invalid-pin', 'A PIN has 4 to 12 digits.')
    }
    const sealed = (await service.sealer(tx)).seal(new Secret(pin))
    const pinAttempts = {...card.pinAttempts, counter: 0}
    await tx.cards.put({...card, pin: sealed, pinStatus: 'S', pinAttempts})
    await consume(tx, control)
  })
}

async function live(
  service: Service,
  tx: Transaction,
  controlId: string,
  scope: PinControl['scope'],
): Promise<PinControl> {
  return liveControl(tx, controlId, scope, await sandboxNow(service, tx))
}
