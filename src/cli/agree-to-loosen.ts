import type {Loosening} from '../profiles/index.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'

/**
 * Asks for the name of a live profile before less of it holds. No flag and no variable answers for the person.
 *
 * @throws Failure GATE_REFUSED without a terminal, CONFIRMATION_DECLINED
 */
export async function agreeToLoosen(context: Context, loosening: Loosening): Promise<void> {
  const {profile, baseUrl, isRemoved, by, changes} = loosening
  context.changes = profile
  const rules = `its rules hold for every request to ${URL.parse(baseUrl)?.host ?? 'its host'}`
  await confirm(context, {
    place: {name: profile, kind: 'live', baseUrl, embedded: false},
    action: isRemoved
      ? `remove the profile ${profile} and the secrets kept for it`
      : by === undefined
        ? `change what protects the profile ${profile}`
        : `let the profile ${by} permit more at the same host`,
    consequence: isRemoved
      ? `This can't be undone: ${rules}. Nothing changes at the service, and its journal stays.`
      : `These settings would permit more, or lead elsewhere: ${changes.map(({setting}) => setting).join(', ')}.`,
    details: changes.map(({setting, from = 'not set', to = 'not set'}) => `  ${setting}  ${from} → ${to}`),
    demands: [
      {
        name: profile,
        yes: false,
        refusal: `The person who looks after the profile ${profile} can do this in a terminal.`,
      },
    ],
  })
}
