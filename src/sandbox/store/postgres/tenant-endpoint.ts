import {isSecret} from '../../../errors/check-options.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {Connections} from '../../../postgres/connect.ts'
import {Secret} from '../../../sensitive/secret.ts'
import type {WebhookOptions} from '../../authorisations/endpoint-client.ts'
import {endpointSealerOf} from '../../seal.ts'
import {openPostgresTenant} from './open-postgres-store.ts'
import type {Tenant, TenantWebhook} from './tenants.ts'

/** The key of a tenant's store, which exists from its first use on. */
async function sealerOfTenant(connections: Connections, id: number) {
  const store = openPostgresTenant(connections, {id, maxRows: null}, {})
  try {
    return await store.transaction(endpointSealerOf)
  } finally {
    await store.close()
  }
}

/** In the encrypted text, the only field of an object that was a secret. */
const SECRET = '$secret'

/** An endpoint as it is stored for a tenant: all credentials are encrypted. @throws Failure STORE_UNAVAILABLE */
export async function sealWebhook(
  connections: Connections,
  {id}: Pick<Tenant, 'id'>,
  {handler: _, user, password, credentials, cert, key, url = '', ...options}: WebhookOptions,
): Promise<TenantWebhook> {
  const clear = {url, ...options}
  const text = JSON.stringify(readable({user, password, credentials, cert, key}))
  if (!text.includes(SECRET)) return clear
  const sealer = await sealerOfTenant(connections, id)
  return {...clear, sealed: {credentials: sealer.seal(new Secret(text)), by: id}}
}

/** @throws Failure STORE_UNAVAILABLE */
export async function openWebhook(
  connections: Connections,
  {sealed, ...clear}: TenantWebhook,
): Promise<WebhookOptions> {
  if (sealed === undefined) return clear
  const sealer = await sealerOfTenant(connections, sealed.by)
  const credentials: unknown = JSON.parse(sealer.open(sealed.credentials).open(), (_, value: unknown) =>
    isObject(value) && typeof value[SECRET] === 'string' ? new Secret(value[SECRET]) : value,
  )
  return {...clear, ...(credentials as Partial<WebhookOptions>)}
}

/** The same with secrets in clear, to be encrypted. */
function readable(value: unknown): unknown {
  if (isSecret(value)) return {[SECRET]: (value as Secret).open()}
  if (Array.isArray(value)) return value.map(readable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each)]))
}
