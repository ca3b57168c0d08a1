// Servers of a tenant that are killed while a snapshot is loaded, and forks into a tenant that are killed.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import type {Snapshot} from '../../../src/sandbox/index.ts'
import {addTenant, listTenants, removeTenant, withStore} from '../../../src/sandbox/team.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {BINARY, plainEnv} from '../../helpers/binary.ts'
import {contentOf, type KillOptions, type KillReport, stateAt} from './snapshot-kills.ts'

interface Team {
  readonly url: string
  readonly one: Snapshot
  readonly two: Snapshot
}

async function server(home: string, url: string) {
  const argv = [
    BINARY,
    'sandbox',
    'serve',
    '--tenants',
    '--store',
    'env:DATABASE_URL',
    '--port',
    '0',
    '-o',
    'ndjson',
  ]
  const child = spawn(process.execPath, argv, {
    env: plainEnv(home, {DATABASE_URL: url}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = (await once(createInterface({input: child.stdout}), 'line')) as [string]
  const {url: base} = JSON.parse(first) as {url: string}
  return {
    base,
    kill: async () => {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** A server is killed while it loads one state and the other, by turns. */
export async function killedServers(
  {home, kills, random}: KillOptions,
  {url, one, two}: Team,
): Promise<KillReport> {
  const postgres = {url: new Secret(url), tenant: 'killed'}
  const token = (await withStore(postgres, opened => addTenant(opened, 'killed'))).open()
  const report = {runs: 0, killed: 0, old: 0, new: 0, neither: [] as string[]}
  const load = (base: string, state: Snapshot) =>
    fetch(`${base}/_sandbox/snapshot`, {
      method: 'PUT',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify(state),
    }).then(
      ({status}) => status,
      () => 0,
    )
  let usualMs = 0
  for (let at = 0; at <= kills; at++) {
    const {base, kill} = await server(home.home, url)
    const state = at % 2 === 0 ? one : two
    if (at === 0) {
      const began = performance.now()
      if ((await load(base, state)) !== 200) throw new Error('the first load failed')
      usualMs = performance.now() - began
      await kill()
      continue
    }
    const before = await stateAt({postgres})
    report.runs++
    const loading = load(base, state)
    const timer = setTimeout(() => void kill(), usualMs * random() * 1.1)
    const status = await loading
    clearTimeout(timer)
    if (status === 0) report.killed++
    await kill()
    const found = await stateAt({postgres})
    if (found === (await contentOf(state))) report.new++
    else if (found === before) report.old++
    else report.neither.push(found)
    // What was answered must be there.
    if (status === 200 && found !== (await contentOf(state))) report.neither.push('answered, and not there')
  }
  return report
}

/** `fork --tenant`: there is the whole tenant, or none of this name. */
export async function killedTenantForks(
  {home, kills, random}: KillOptions,
  {url, one}: Team,
): Promise<KillReport & {unfinished: number}> {
  const fixture = join(home.home, 'fork-tenant.json')
  writeFileSync(fixture, JSON.stringify(one))
  const postgres = {url: new Secret(url)}
  const report = {runs: 0, killed: 0, old: 0, new: 0, neither: [] as string[]}
  let usualMs = 0
  for (let at = 0; at <= kills; at++) {
    const name = `fork-${at}`
    const argv = ['sandbox', 'snapshot', 'fork', fixture, '--tenant', name, '--store', `cmd:echo '${url}'`]
    const began = performance.now()
    const afterMs = usualMs * (0.3 + 0.75 * random())
    const {code} = await home.run(argv, child => {
      if (at === 0) return
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      child.on('exit', () => clearTimeout(timer))
    })
    if (at === 0) {
      if (code !== 0) throw new Error(`the first fork ended ${code}`)
      usualMs = performance.now() - began
      continue
    }
    report.runs++
    if (code === null) report.killed++
    const names = await withStore(postgres, async opened =>
      (await listTenants(opened)).map(each => each.name),
    )
    if (!names.includes(name)) report.old++
    else if ((await stateAt({postgres: {...postgres, tenant: name}})) === (await contentOf(one))) report.new++
    else report.neither.push(name)
    await withStore(postgres, opened => removeTenant(opened, name))
  }
  const left = await withStore(postgres, listTenants)
  // They expire by themselves.
  const unfinished = left.filter(({name, expiresAt}) => name.includes('.fork-') && expiresAt !== null).length
  const lasting = left.filter(({name, expiresAt}) => name.includes('.fork-') && expiresAt === null)
  report.neither.push(...lasting.map(({name}) => name))
  return {...report, unfinished}
}
