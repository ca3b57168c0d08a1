// What docs/team-sandbox.md says of TLS, against a PostgreSQL server with certificates by openssl.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, inject, test} from 'vitest'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {newHome} from '../documented/scene.ts'
import {freePort} from '../helpers/free-port.ts'
import {type Cluster, startCluster} from '../helpers/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardctl-tls-'))
const at = (name: string) => join(folder, name)
const pem = (name: string) => readFileSync(at(name), 'utf8')
const openssl = (...args: string[]) => execFileSync('openssl', args, {cwd: folder, stdio: 'pipe'})
const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')

function makeAuthority(name: string): void {
  const subject = ['-subj', `/CN=${name}`]
  openssl('req', '-x509', ...NEW_KEY, ...subject, '-keyout', `${name}.key`, '-out', `${name}.pem`)
}

function makeCertificate(name: string, subject: string, alternative: string): void {
  const extension = ['-addext', `subjectAltName=${alternative}`, '-CA', 'ca.pem', '-CAkey', 'ca.key']
  const names = ['-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.pem`]
  openssl('req', '-x509', ...NEW_KEY, ...names, ...extension)
}

let cluster: Cluster | undefined
let port = 0

beforeAll(async () => {
  if (inject('postgres') === undefined) return
  for (const name of ['ca', 'other']) makeAuthority(name)
  makeCertificate('server', 'localhost', 'DNS:localhost')
  makeCertificate('client', 'app', 'DNS:app')
  port = await freePort()
  const files = Object.fromEntries(['server.pem', 'server.key', 'ca.pem'].map(name => [name, pem(name)]))
  // A client of the database `guarded` needs a certificate with its name.
  cluster = startCluster({tlsPort: port, files, access: ['hostssl guarded all 127.0.0.1/32 cert']})
  cluster?.run('createdb', '-O', 'app', 'guarded')
  await migrateStore({url: new Secret(url('')), ca: pem('ca.pem')})
})

afterAll(() => {
  cluster?.remove()
  rmSync(folder, {recursive: true, force: true})
})

async function store(command: string, url: string, ...more: string[]) {
  const home = await newHome()
  const argv = ['sandbox', 'store', command, '--store', 'env:DATABASE_URL', ...more, '-o', 'json']
  return home.run(argv, {env: {DATABASE_URL: url}})
}

const url = (query: string, {host = 'localhost', database = 'app'} = {}) =>
  `postgres://app@${host}:${port}/${database}?${query}`

test.each(['verify-full', 'verify-ca', 'require'])(
  'sslmode=%s encrypts, and checks the certificate',
  async mode => {
    const trusted = await store('check', url(`sslmode=${mode}`), '--store-ca', at('ca.pem'))
    expect(JSON.parse(trusted.stdout)).toMatchObject({encrypted: true})
    const unknown = await store('check', url(`sslmode=${mode}`))
    expect(unknown.code).toBe(3)
    expect(unknown.stderr).toContain('its certificate is from an unknown authority')
  },
)

test('sslrootcert in the URL names the authority, as --store-ca does', async () => {
  const named = await store('check', url(`sslrootcert=${at('ca.pem')}`))
  expect(JSON.parse(named.stdout)).toMatchObject({encrypted: true})
  const missing = await store('check', url(`sslrootcert=${at('none.pem')}`))
  expect(missing.code).toBe(2)
  expect(missing.stderr).toContain('the file of its sslrootcert cannot be read')
})

test.each([
  ['another authority', 'localhost', 'other.pem', 'its certificate is from an unknown authority'],
  ['another host name', '127.0.0.1', 'ca.pem', 'its certificate is for another host name'],
])('a certificate of %s is refused', async (_, host, ca, why) => {
  const refused = await store('check', url('sslmode=verify-full', {host}), '--store-ca', at(ca))
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain(why)
})

test('sslmode=disable does not encrypt, and a server without TLS is refused otherwise', async () => {
  const plain = await store('check', url('sslmode=disable'))
  expect(JSON.parse(plain.stdout)).toMatchObject({encrypted: false})
  const none = await store('check', `${inject('postgres')}&sslmode=require`)
  expect(none.code).toBe(3)
  expect(none.stderr).toContain('it has no TLS')
})

test('a client certificate opens a database that needs one', async () => {
  const guarded = (query: string) => url(`sslrootcert=${at('ca.pem')}${query}`, {database: 'guarded'})
  const without = await store('migrate', guarded(''))
  expect(without.code).toBe(3)
  expect(without.stderr).toContain('the user may not connect')
  const client = `&sslcert=${at('client.pem')}&sslkey=${at('client.key')}`
  expect(await store('migrate', guarded(client))).toMatchObject({code: 0, stderr: ''})
  expect((await store('migrate', guarded(`&sslcert=${at('client.pem')}`))).code).toBe(2)
  const foreign = `&sslcert=${at('other.pem')}&sslkey=${at('other.key')}`
  expect((await store('migrate', guarded(foreign))).code).toBe(3)
})

test('a broken file of certificates is refused', async () => {
  writeFileSync(at('empty.pem'), 'nothing')
  const refused = await store('check', url(''), '--store-ca', at('empty.pem'))
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('--store-ca')
})
