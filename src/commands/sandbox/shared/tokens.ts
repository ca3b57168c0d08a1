import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {labelledText} from '../../../output/detail.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import {dim} from '../../../output/styled.ts'
import {table} from '../../../output/table.ts'
import {blocks, sentence, type View} from '../../../output/view.ts'
import {dateTime} from '../../../output/when.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {findTenant, type NewToken} from '../../../sandbox/team.ts'
import type {StoreFlags} from './store.ts'
import {noTenant, withTenants} from './tenants.ts'

/** Runs work on the database of `--store` for a tenant. @throws Failure NOT_FOUND, STORE_UNAVAILABLE */
export const withTenant = <Result>(
  context: Context,
  flags: StoreFlags,
  name: string,
  work: (opened: Connections, tenant: number) => Promise<Result>,
): Promise<Result> =>
  withTenants(context, flags, async opened => {
    const tenant = await findTenant(opened, name)
    if (tenant === undefined) throw noTenant(name)
    return work(opened, tenant.id)
  })

export const noToken = (tenant: string, name: string) =>
  new Failure('NOT_FOUND', {
    message: `The tenant ${tenant} has no valid token ${name}.`,
    hint: advice`List its tokens: ${cardctl('sandbox', 'tokens', 'list', {value: tenant}, '--store', {value: 'REF'})}`,
    effect: 'none',
  })

/** A new token as it is printed. */
export const printedToken = (tenant: string, name: string, {token, expiresAt}: NewToken) => ({
  tenant,
  name,
  token: token.open(),
  expiresAt,
})

/** A new token. It is shown this once. */
export const newTokenView: View = (added, context) =>
  blocks(
    labelledText(
      [
        ['Tenant', textAt(added, 'tenant')],
        ['Name', textAt(added, 'name')],
        ['Token', textAt(added, 'token')],
        ['Expires', dateTime(fieldAt(added, 'expiresAt'), context) || 'never'],
      ],
      context,
    ),
    sentence(dim('Keep the token: it is not shown again.'), context),
  )

/** The valid tokens of a tenant. */
export const tokensView: View = (tokens, context) =>
  table(
    'token',
    [
      {title: 'Name', value: token => textAt(token, 'name'), fit: 'keep'},
      {title: 'Created', value: token => dateTime(fieldAt(token, 'createdAt'), context)},
      {title: 'Last used', value: token => dateTime(fieldAt(token, 'lastUsedAt'), context) || 'never'},
      {title: 'Expires', value: token => dateTime(fieldAt(token, 'expiresAt'), context) || 'never'},
    ],
    Array.isArray(tokens) ? tokens : [],
    context,
    'No tokens. Nobody can use the tenant.',
  )
