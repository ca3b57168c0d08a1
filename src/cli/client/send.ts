import {Failure} from '../../errors/failure.ts'
import type {ReceivedHead, Sender, SendOptions, ServiceResponse} from '../../http/index.ts'
import type {Target} from '../../profiles/target.ts'
import type {Context} from '../context.ts'
import {credentialHint} from '../credential-hint.ts'
import {distinctDifferences} from '../response-differences.ts'

/** Every response passes here, so that no command can forget to report where it differs from the contract. */
export async function send(
  context: Context,
  target: Target,
  sender: Sender,
  ...parameters: Parameters<Sender['send']>
): Promise<ServiceResponse> {
  const [built, options = {}] = parameters
  const {operation} = built
  let head: ReceivedHead | undefined
  const received = (one: ReceivedHead): void => {
    head = one
    options.received?.(one)
  }
  const sending = sender.send(built, {...options, received})
  // Also of a refusal.
  const heard = (): void => {
    if (head) context.stores.heardTime(target, head.headers)
  }
  const response = await sending.catch(async (error: unknown) => {
    heard()
    // Without its secret, no request was written.
    if (!(error instanceof Failure) || error.code !== 'SECRET_MISSING') context.effects.noteSent()
    context.effects.add(operation, error instanceof Failure ? (error.details.effect ?? 'none') : 'unknown')
    const isRefused = error instanceof Failure && error.code === 'UNAUTHENTICATED'
    throw isRefused ? error.with({hint: await credentialHint(context)}) : error
  })
  heard()
  context.effects.noteSent()
  context.effects.add(operation, 'done')
  // What an accepted write came to is at an address of the service's own.
  if (response.isForeign && (operation.effect === 'read' || response.isPolled)) {
    for (const value of [response.body].flat()) context.printer.showAsItCame(value as object)
  }
  context.differences.add(response)
  for (const words of distinctDifferences(response.differences)) context.debug(`  differs: ${words}`)
  return response
}

/** Says what requests wait for: a response, or the time of the next attempt. */
export function sayWaits(
  {printer, surroundings}: Context,
  target: Pick<Target, 'embedded'>,
): NonNullable<SendOptions['waiting']> {
  return (host, attempt, pauseMs) => {
    const name = target.embedded ? 'the sandbox' : host
    const number = attempt > 1 ? `, attempt ${attempt}` : ''
    const brief = `${target.embedded ? 'sandbox' : host}${number}`
    if (pauseMs === 0)
      return printer.waiting({for: 'response', why: `${name} has not responded yet${number}`, brief})
    const until = surroundings.now() + pauseMs
    return printer.waiting({for: 'retry', why: `then ${name} is asked again${number}`, until, brief})
  }
}
