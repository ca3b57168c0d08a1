import {isLoopback} from '../sensitive/loopback.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'

export const WITHOUT_TLS = 'calls would travel there without TLS'

/**
 * Lets calls go to this machine only, unless the host is typed again.
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED
 */
export async function confirmHost(
  context: Context,
  {hostname}: URL,
  {confirm: given, why}: {confirm: string | undefined; why: string},
): Promise<void> {
  if (isLoopback(hostname)) return
  await confirm(context, {
    place: {at: hostname},
    action: 'send calls to another machine than this',
    consequence: `${why[0]?.toUpperCase()}${why.slice(1)}.`,
    demands: [{name: hostname, yes: false}],
    confirm: given === undefined ? [] : [given],
  })
}
