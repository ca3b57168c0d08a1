// A URL with several servers: the first one that takes writes is used, also after another one has taken over.
import {expect, test} from 'vitest'
import {newHome} from '../documented/scene.ts'
import {migratedCluster} from '../sandbox/helpers/migrated-postgres.ts'
import {serveStore} from './served.ts'

test('a server follows the primary, and a standby alone is named as one', async () => {
  const primary = await migratedCluster()
  const standby = primary.standby()
  const url = new URL(primary.url)
  const socket = url.searchParams.get('host') ?? ''
  const urlOf = (hosts: string, more = '') => `postgres://app@localhost/app?host=${hosts}${more}`
  const home = await newHome()
  const check = async (url: string) =>
    home.run(['sandbox', 'store', 'check', '--store', 'env:DATABASE'], {env: {DATABASE: url}})

  const alone = await check(urlOf(standby.socket))
  expect(alone.code).toBe(3)
  expect(alone.stderr).toContain('it only takes reads, as a standby does')
  expect(alone.stderr).toContain('postgres://host1,host2/database')
  const any = await check(urlOf(`${standby.socket},${socket}`, '&target_session_attrs=any'))
  expect(any.stderr).toContain('it only takes reads')
  const named = await check(urlOf(`/nowhere,${standby.socket}`))
  expect(named.stderr).toContain(
    `/nowhere: there is no such socket; ${standby.socket}: it only takes reads, as a standby does`,
  )

  const {write, status} = await serveStore(home, 'env:DATABASE', {
    flags: ['--store-connections', '2'],
    env: {DATABASE: urlOf(`/nowhere,${standby.socket},${socket}`)},
  })
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual([200, 200, 200])
  primary.stop('immediate')
  expect(await write('lost')).toBe(503)
  standby.promote()
  await expect.poll(() => write('taken over'), {timeout: 15_000, interval: 100}).toBe(200)
  expect(await status('/v4/2002?auditUser=test')).toBeLessThan(500)
})
