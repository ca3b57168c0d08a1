import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import type {Context} from './context.ts'

export const WITHOUT_TLS = 'calls would travel there without TLS'

/**
 * Lets calls go to this machine only, unless the host is typed again.
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED
 */
export async function confirmHost(
  context: Context,
  {hostname}: URL,
  {confirm, why}: {confirm: string | undefined; why: string},
): Promise<void> {
  if (isLoopback(hostname) || confirm === hostname) return
  if (!context.interactive || confirm !== undefined) {
    throw new Failure('CONFIRMATION_REQUIRED', {
      message: `${hostname} is another machine than this: ${why}.`,
      hint: `Add --confirm ${hostname}; --yes does not cover it.`,
      effect: 'none',
    })
  }
  context.printer.warn(`${hostname} is another machine than this: ${why}.`)
  if ((await context.prompter.text(`Type ${hostname} to go on:`)).trim() !== hostname) {
    throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
  }
}
