// Writes every store of this version of cardctl into test/fixtures/stores/VERSION, for the tests of later versions:
// `node test/helpers/write-stores.ts`, before a version is released and never after. Needs PostgreSQL.
import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {gzipSync} from 'node:zlib'
import pjson from '../../package.json' with {type: 'json'}
import type {CountedRequest} from '../../src/cli/pass-policy.ts'
import {KeptDaySums} from '../../src/commands/gate/shared/day-sums.ts'
import {createTenantSandbox} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Home, homeAt} from './cli.ts'
import {startCluster} from './postgres.ts'
import {openService} from './service.ts'

/** When everything in the fixtures was done. */
export const NOON = Date.UTC(2026, 10, 1, 12)
export const PASSPHRASE = 'correct horse battery staple'
export const STORED = 'stored-token'
/** In the name of the service whose jobs are shared. */
export const TEAM_PORT = 18_499
export const TEAM = {TEAM_KEY: Buffer.alloc(32, 7).toString('base64')}
let seconds = 0
const now = () => NOON + 1000 * seconds++

const policy = {
  lineOf: String,
  profiles: {prod: {hosts: [], job: {write: 'allow', sums: {EUR: {request: 100, day: 100}}}}},
}
const asked = {user: 'nightly', profile: 'prod', caller: 'job', sums: new Map([['EUR', 60_000_000n]])}
const request = {
  method: 'POST',
  path: '/v1',
  keyed: true,
  body: Buffer.from('{}'),
  operation: {effect: 'write'},
}
/** More than half of what a gate sends for a job on a day. */
export const counted = {asked, policy, built: request} as unknown as CountedRequest

async function must(
  home: Home,
  argv: readonly string[],
  options: Parameters<Home['run']>[1] = {},
): Promise<string> {
  const {code, stdout, stderr} = await home.run(argv, {now, ...options})
  if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
  return stdout
}

/** The home of a user, with the files that the user keeps in its folder `kept`. */
async function writeHome(folder: string): Promise<void> {
  const home = homeAt(folder)
  const kept = join(folder, 'kept')
  const file = (name: string, text: string): string => {
    writeFileSync(join(kept, name), text)
    return join(kept, name)
  }
  mkdirSync(kept)
  const limit = (value: number) => [
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '-F',
    `creditLimit=${value}`,
    '--yes',
  ]
  await must(home, [...limit(5000), '--ticket', 'T-1'])
  await must(home, ['a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes'])
  // While there is little to encrypt, because that can't be packed.
  await must(home, ['data', 'export', join(kept, 'backup.age')], {stdin: `${PASSPHRASE}\n`})
  const rows = file('rows.csv', 'id,creditLimit\n2001,5001\n9999,5002\n')
  await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows, '--yes'], {now})
  await must(home, ['sandbox', 'snapshot', 'save', 'before'])
  const shop = file('shop.yaml', readFileSync('test/fixtures/documents/shop-3.0.yaml', 'utf8'))
  await must(home, ['contract', 'import', shop, '--name', 'shop'])
  const sheet = file('sheet.csv', 'Kunde;Ziel;Menge\n2006;2007;12,50\n')
  const maps = ['Kunde=from', 'Ziel=to', 'Menge=amount'].flatMap(map => ['--map', map])
  const mapping = [...maps, '--fill', 'currency=EUR', '--save-mapping', 'acme', '--dry-run']
  await must(home, ['a2a', 'create', '--from', sheet, ...mapping])
  const limits = file('limits.csv', 'id,creditLimit\n2001,6000\n')
  const plan = ['accounts', 'patch', '--type', 'credit', '--from', limits, '--out', join(kept, 'limits.plan')]
  await must(home, ['bulk', 'plan', ...plan])
  await writeServed(home, kept)
  await writeCalls(home)
  file('shift.json', await must(home, ['report', 'shift', '-o', 'json']))
  file('trail.ndjson', await must(home, ['audit', 'export', '-o', 'ndjson']))
  file('events.ndjson', await must(home, ['webhook', 'events', 'export']))
  using sums = new KeptDaySums(join(folder, '.local/share/cardctl/day-sums.db'), now)
  sums.reserve(counted)
}

/** A service on a port: its journal, and a proposal that waits for a second person. */
async function writeServed(home: Home, kept: string): Promise<void> {
  const service = await openService()
  mkdirSync(join(kept, 'proposals'), {mode: 0o700})
  for (const name of ['aino', 'bo']) {
    const at = ['--kind', 'test', '--base-url', service.url, '--auth', 'none', '--profile-audit-user', name]
    const rule = ['--second-person-for', 'destroyed', '--proposals', join(kept, 'proposals')]
    await must(home, ['profiles', 'add', name, ...at, ...rule])
  }
  await must(home, [
    'accounts',
    'patch',
    '2001',
    '--type',
    'credit',
    '-F',
    'creditLimit=7000',
    '--yes',
    '-p',
    'aino',
  ])
  await must(home, [
    'accounts',
    'close',
    '2001',
    '--type',
    'credit',
    '--note',
    'Left',
    '--propose',
    '-p',
    'aino',
  ])
  const stored = ['--kind', 'test', '--base-url', service.url, '--auth', 'bearer', '--secret', '-']
  await must(home, ['profiles', 'add', 'stored', ...stored], {stdin: `${STORED}\n`})
  await service.close()
}

/** A recorded authorisation call. */
async function writeCalls(home: Home): Promise<void> {
  const ending = new AbortController()
  const url = Promise.withResolvers<string>()
  const output = (chunk: Buffer) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())
    if (found) url.resolve(found[0])
  }
  const options = {now, signal: ending.signal, output}
  const served = home.run(['webhook', 'serve', '--port', '0', '-o', 'ndjson'], options)
  await must(home, ['webhook', 'trigger', 'auth', '--to', await url.promise, '--card', '3001'])
  ending.abort()
  await served
}

/** What a team shares in a database. @returns a dump of it. */
async function writeTeam(folder: string): Promise<string> {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed.')
  try {
    const env = {...TEAM, TEAM_URL: cluster.url}
    const home = homeAt(folder)
    await must(home, ['sandbox', 'store', 'migrate', '--store', 'env:TEAM_URL'], {env})
    const added = await home.json<{token: string}>(
      ['sandbox', 'tenants', 'add', 'cards', '--store', 'env:TEAM_URL'],
      {env},
    )
    const sandbox = await createTenantSandbox({postgres: {url: new Secret(cluster.url)}})
    const server = await sandbox.serve({port: TEAM_PORT})
    const team = ['--team-store', 'env:TEAM_URL', '--team-key', 'env:TEAM_KEY']
    const at = ['--base-url', `${server.url}/t/cards`, '--auth', 'bearer', '--secret', 'env:TOKEN']
    const asTeam = {env: {...env, TOKEN: added.token}}
    await must(home, ['profiles', 'add', 'team', '--kind', 'test', ...team, ...at], asTeam)
    const rows = {...asTeam, stdin: 'id,creditLimit\n2001,5000\n'}
    const shared = [
      'bulk',
      'run',
      'accounts.patchCredit.v4',
      '--from',
      '-',
      '--shared',
      '--yes',
      '-p',
      'team',
    ]
    await must(home, shared, rows)
    await must(home, [...shared, '--prepare'], {...rows, stdin: 'id,creditLimit\n2001,5100\n'})
    await server.close()
    await sandbox.close()
    return cluster.run('pg_dump', '--no-comments', 'app')
  } finally {
    cluster.remove()
  }
}

if (import.meta.main) {
  const out = `test/fixtures/stores/${pjson.version}`
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-stores-'))
  try {
    mkdirSync(out, {recursive: true})
    mkdirSync(join(folder, 'home'))
    mkdirSync(join(folder, 'team'))
    await writeHome(join(folder, 'home'))
    writeFileSync(join(out, 'team.sql.gz'), gzipSync(await writeTeam(join(folder, 'team')), {level: 9}))
    const archive = [
      '-czf',
      join(out, 'home.tar.gz'),
      '--owner=0',
      '--group=0',
      '--exclude=.cache',
      '-C',
      folder,
      'home',
    ]
    execFileSync('tar', archive)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  process.exit()
}
