import type {Input, ResponseBody} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import type {SandboxAuth} from './access.ts'
import {requestOf} from './check-options.ts'

import type {SandboxOptions} from './options.ts'
import type {PlainRequest, TextResponse} from './plain-http.ts'

/** A purchase to authorise. Without amount and currency, those of the scenario. */
export type Purchase = Input<'sandbox.authorisations.create'>['body']
/** What was decided, by whom and why, with the hold and the webhook's call and answer. */
export type AuthorisationResult = ResponseBody<'sandbox.authorisations.create'>

/** Sends the purchase to the sandbox's own operation. @throws Failure INPUT_INVALID for what it refuses */
export async function authorisePurchase(
  purchase: Purchase,
  {auth}: SandboxOptions,
  respond: (request: PlainRequest) => Promise<TextResponse>,
): Promise<AuthorisationResult> {
  const {status, text} = await respond(
    requestOf({
      method: 'POST',
      url: '/_sandbox/authorisations',
      headers: {'content-type': 'application/json', ...(auth && {authorization: authorizationOf(auth)})},
      body: JSON.stringify(purchase),
    }),
  )
  const answer: unknown = JSON.parse(text || '{}')
  if (status === 201) return answer as AuthorisationResult
  const {detail, title} = answer as {detail?: string; title?: string}
  throw new Failure('INPUT_INVALID', {message: `authorise: ${detail ?? title ?? `status ${status}`}`})
}

const authorizationOf = (auth: SandboxAuth): string =>
  auth.type === 'bearer'
    ? `Bearer ${auth.token.open()}`
    : `Basic ${Buffer.from(`${auth.user}:${auth.password.open()}`, 'utf8').toString('base64')}`
