import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Connections} from '../../../postgres/connect.ts'
import type {Tenant} from '../../../sandbox/store/postgres/tenants.ts'
import {readRequiredStore, type StoreFlags} from './store.ts'

/** Runs work on the database of `--store`. */
export async function withTenants<Result>(
  context: Context,
  flags: StoreFlags,
  work: (opened: Connections) => Promise<Result>,
): Promise<Result> {
  const options = await readRequiredStore(context, flags)
  const {withStore} = await import('../../../sandbox/store/postgres/admin.ts')
  return withStore(options, work)
}

/** A tenant as it is printed, with its path below the URL of the server. */
export type ShownTenant = Omit<Tenant, 'id'> & {readonly path: string}

export const shownTenant = ({id: _, ...tenant}: Tenant): ShownTenant => ({
  ...tenant,
  path: `/t/${tenant.name}`,
})

/** @throws Failure NOT_FOUND, STORE_UNAVAILABLE */
export async function existingTenant(context: Context, flags: StoreFlags, name: string): Promise<Tenant> {
  const {findTenant} = await import('../../../sandbox/store/postgres/tenants.ts')
  const tenant = await withTenants(context, flags, opened => findTenant(opened, name))
  if (tenant !== undefined) return tenant
  throw new Failure('NOT_FOUND', {
    message: `There is no tenant ${name}.`,
    hint: 'List the tenants with cardctl sandbox tenants list.',
    effect: 'none',
  })
}
