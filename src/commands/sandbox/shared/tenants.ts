import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Connections} from '../../../postgres/connect.ts'
import type {WebhookOptions} from '../../../sandbox/index.ts'
import {
  changeTenant,
  findTenant,
  sealWebhook,
  type Tenant,
  type TenantChange,
  type TenantWebhook,
  withStore,
} from '../../../sandbox/team.ts'
import {readRequiredStore, type StoreFlags} from './store.ts'

/** Runs work on the database of `--store`. */
export async function withTenants<Result>(
  context: Context,
  flags: StoreFlags,
  work: (opened: Connections) => Promise<Result>,
): Promise<Result> {
  const options = await readRequiredStore(context, flags)
  return withStore(options, work)
}

/** A tenant as it is printed, with its path below the URL of the server. */
export type ShownTenant = Omit<Tenant, 'id' | 'webhook'> & {
  readonly path: string
  readonly webhook: ShownWebhook | null
}

/** An endpoint without its credentials. */
interface ShownWebhook extends Omit<TenantWebhook, 'sealed' | 'ca'> {
  readonly hasCredentials: boolean
}

export const shownTenant = ({id: _, webhook, ...tenant}: Tenant): ShownTenant => ({
  ...tenant,
  path: `/t/${tenant.name}`,
  webhook: webhook && shownWebhook(webhook),
})

function shownWebhook({sealed, ca: _, ...webhook}: TenantWebhook): ShownWebhook {
  return {...webhook, hasCredentials: sealed !== undefined}
}

/** Limits of a tenant. */
export const tenantLimitFlags = {
  'max-rows': Flags.integer({
    helpValue: 'N',
    min: 1,
    summary: 'Maximum number of rows in the database. Writes beyond it get status 507.',
  }),
  'rate-limit': Flags.string({
    helpValue: '50/s,3000/min',
    summary: 'Rate limit over all server processes. Requests beyond it get status 429.',
  }),
}

/** Changes a tenant. A password is stored encrypted. @throws Failure NOT_FOUND, STORE_UNAVAILABLE */
export async function setTenant(
  opened: Connections,
  name: string,
  {
    webhook,
    ...limits
  }: Omit<TenantChange, 'webhook'> & {readonly webhook?: WebhookOptions | null | undefined},
): Promise<Tenant> {
  const tenant = await findTenant(opened, name)
  if (tenant === undefined) throw noTenant(name)
  const stored = webhook && (await sealWebhook(opened, tenant, webhook))
  await changeTenant(opened, name, {...limits, ...(stored !== undefined && {webhook: stored})})
  return (await findTenant(opened, name)) ?? tenant
}

/** @throws Failure NOT_FOUND, STORE_UNAVAILABLE */
export async function existingTenant(context: Context, flags: StoreFlags, name: string): Promise<Tenant> {
  const tenant = await withTenants(context, flags, opened => findTenant(opened, name))
  if (tenant !== undefined) return tenant
  throw noTenant(name)
}

export const noTenant = (name: string) =>
  new Failure('NOT_FOUND', {
    message: `There is no tenant ${name}.`,
    hint: advice`List the tenants: ${cardctl('sandbox', 'tenants', 'list', '--store', {value: 'REF'})}`,
    effect: 'none',
  })
