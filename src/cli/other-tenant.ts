import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Journal} from '../journal/index.ts'
import type {Target} from '../profiles/target.ts'

/**
 * A secret header names the tenant, and its value may change while the profile stays. What is one tenant's is never sent
 * to another, where it would be a new request with an effect of its own.
 *
 * @param what is sent again: `Request r_…`
 * @param mark what the journal made of the tenant then
 * @throws Failure OTHER_SERVICE
 */
export async function refuseOtherTenant(
  journal: Journal,
  what: string,
  mark: string | null,
  {name, tenant, headers}: Pick<Target, 'name' | 'tenant' | 'headers'>,
): Promise<void> {
  if (journal.tenantMark(await tenant?.()) === mark) return
  const secret = Object.keys(headers ?? {}).filter(header => typeof headers?.[header] !== 'string')
  throw new Failure('OTHER_SERVICE', {
    message: `${what} was sent with another secret value of a header that names the tenant (${secret.join(', ')}) than the profile ${name} has now. Nothing was sent.`,
    hint: advice`Set the value that it had then. If the value was only renewed, look at the service what became of it, and say so: ${cardctl('requests', 'resolve', {value: 'ID'}, '--found', 'effect', '--because', {value: 'TEXT'})}`,
    effect: 'none',
  })
}
