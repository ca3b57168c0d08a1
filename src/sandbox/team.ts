/** The sandbox that a team shares: its database, its tenants, and the service of each. */
export {checkStore, migrateStore, storeSize, withStore} from './store/postgres/admin.ts'
export {connections, type PostgresOptions} from './store/postgres/connect.ts'
export {type ForkedTenant, forkTenant} from './store/postgres/fork-tenant.ts'
export {sealWebhook} from './store/postgres/tenant-endpoint.ts'
export {
  addTenant,
  changeTenant,
  findTenant,
  listTenants,
  removeTenant,
  type Tenant,
  type TenantChange,
  type TenantWebhook,
} from './store/postgres/tenants.ts'
export {
  addToken,
  listTokens,
  type NewToken,
  removeToken,
  rotateToken,
  type TenantToken,
} from './store/postgres/tokens.ts'
export {weaknesses} from './store/postgres/weaknesses.ts'
export {createTenantSandbox} from './tenant-sandbox.ts'
