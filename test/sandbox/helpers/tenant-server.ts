// A server of tenants, in the database of the project.
import {randomUUID} from 'node:crypto'
import {inject, onTestFinished} from 'vitest'
import {withStore} from '../../../src/sandbox/store/postgres/admin.ts'
import {addTenant, type TenantLimits} from '../../../src/sandbox/store/postgres/tenants.ts'
import {createTenantSandbox} from '../../../src/sandbox/tenant-sandbox.ts'
import {Secret} from '../../../src/sensitive/secret.ts'

export const postgres = () => ({url: new Secret(inject('postgres') ?? ''), connections: 4})

export async function serve(): Promise<string> {
  const sandbox = await createTenantSandbox({postgres: postgres()})
  const server = await sandbox.serve()
  onTestFinished(async () => {
    await server.close()
    await sandbox.close()
  })
  return server.url
}

export async function tenant(limits?: TenantLimits): Promise<{name: string; token: string}> {
  const name = `t${randomUUID().slice(0, 20)}`
  const token = await withStore(postgres(), opened => addTenant(opened, name, limits))
  return {name, token: token.open()}
}
