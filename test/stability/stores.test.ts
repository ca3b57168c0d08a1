// What each released version has written, this one opens and continues. test/helpers/write-stores.ts writes what there is.
import {execFileSync} from 'node:child_process'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {copyFile, mkdtemp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {KeptDaySums} from '../../src/commands/gate/shared/day-sums.ts'
import {openSecretFile} from '../../src/profiles/secrets.ts'
import {homeAt, openHome} from '../helpers/cli.ts'
import {counted, NOON, PASSPHRASE, STORED} from '../helpers/write-stores.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/stores')
const now = () => NOON + 3_600_000

test('this version has fixtures of its stores', () => {
  for (const name of ['home.tar.gz', 'team.sql.gz'])
    expect(existsSync(join(FIXTURES, pjson.version, name)), 'run: node test/helpers/write-stores.ts').toBe(
      true,
    )
})

describe.each(globSync('*', {cwd: FIXTURES}).map(path => basename(path)))('the stores of %s', version => {
  /** The home of a user of that version, and the folder of the files that the user keeps. */
  async function unpacked() {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-stores-'))
    execFileSync('tar', ['-xzf', join(FIXTURES, version, 'home.tar.gz'), '--no-same-owner', '-C', folder])
    const home = homeAt(join(folder, 'home'))
    onTestFinished(() => home.remove())
    const json = <T>(...argv: readonly string[]) => home.json<T>(argv, {now})
    const must = async (argv: readonly string[], stdin = '') =>
      expect(await home.run(argv, {now, stdin})).toMatchObject({code: 0})
    return {
      home,
      json,
      must,
      data: join(home.folder, '.local/share/cardctl'),
      kept: join(home.folder, 'kept'),
    }
  }

  test('the journal and the audit trail are read, and written on', async () => {
    const {json, must} = await unpacked()
    const before = await json<{operation: string; state: string}[]>('requests', 'list')
    expect(before.toReversed()).toMatchObject([
      {operation: 'accounts.patchCredit.v4', state: 'done', ticket: 'T-1'},
      {operation: 'a2a.create.v1', state: 'done'},
      {operation: 'accounts.patchCredit.v4', state: 'done'},
      {operation: 'accounts.patchCredit.v4', state: 'refused'},
    ])
    expect(await json('requests', 'list', '-p', 'aino')).toHaveLength(1)
    const {lines} = await json<{lines: number}>('audit', 'verify')
    expect(lines).toBeGreaterThan(4)
    await must(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5500', '--yes'])
    await must(['requests', 'undo', '--yes'])
    expect(await json('requests', 'list')).toHaveLength(6)
    expect(await json('audit', 'verify')).toMatchObject({lines: lines + 2})
  })

  test('a bulk job keeps its results, and its failed rows can be sent again', async () => {
    const {home, json} = await unpacked()
    const [job] = await json<{job: string; done: number; failed: number}[]>('bulk', 'list')
    expect(job).toMatchObject({done: 1, failed: 1})
    const again = await home.run(['bulk', 'resume', `${job?.job}`, '--retry-failed', '--yes'], {now})
    expect(again).toMatchObject({code: 11})
    expect(await json('bulk', 'results', `${job?.job}`)).toMatchObject([{state: 'done'}, {state: 'failed'}])
  })

  test('the sandbox has its state, and goes back to a snapshot', async () => {
    const {json, must} = await unpacked()
    const limit = async () =>
      (await json<{creditLimit: number}>('sandbox', 'state', 'show', 'accounts', '2001')).creditLimit
    expect(await limit()).toBe(5001)
    await must(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5500', '--yes'])
    expect(await limit()).toBe(5500)
    await must(['sandbox', 'snapshot', 'load', 'before', '--yes'])
    expect(await limit()).toBe(5001)
  })

  test('a plan is carried out', async () => {
    const {json, kept} = await unpacked()
    expect(await json('plan', 'show', join(kept, 'limits.plan'))).toMatchObject({counts: {changes: 1}})
    expect(await json('apply', join(kept, 'limits.plan'), '--yes')).toMatchObject({done: 1})
  })

  test('profiles, mappings, contracts and secrets are there', async () => {
    const {json, must, data} = await unpacked()
    const profiles = await json<{name: string}[]>('profiles', 'list')
    expect(profiles.map(({name}) => name)).toEqual(['sandbox', 'aino', 'bo', 'stored'])
    expect(await json('mappings', 'list')).toMatchObject([{name: 'acme', fill: ['currency=EUR']}])
    expect(await json('contract', 'list')).toMatchObject([{name: 'shop'}])
    await must(['x', 'orders', 'get-order', '77', '--dry-run'])
    const file = join(data, 'secrets.json')
    const {secrets} = JSON.parse(readFileSync(file, 'utf8')) as {secrets: object}
    const signal = new AbortController().signal
    const stored = await openSecretFile(file, {platform: 'linux', now, signal}).get(
      Object.keys(secrets)[0] ?? '',
    )
    expect(stored?.open()).toBe(STORED)
  })

  test('a proposal waits for a second person, who can reject it', async () => {
    const {json, must, kept} = await unpacked()
    await must(['profiles', 'edit', 'bo', '--proposals', join(kept, 'proposals'), '--yes'])
    const proposals = await json<{id: string; state: string}[]>('requests', 'proposals', '-p', 'bo')
    expect(proposals).toMatchObject([{by: {auditUser: 'aino'}, action: 'CLOSE credit account 2001 for good'}])
    await must(['requests', 'reject', `${proposals[0]?.id}`, '-p', 'bo', '--yes'])
  })

  test('recorded calls are shown', async () => {
    const {json} = await unpacked()
    expect(await json('webhook', 'events', 'list')).toMatchObject([{kind: 'payment', outcome: 'approved'}])
  })

  test('a backup is restored on a machine that has nothing', async () => {
    const {json, kept} = await unpacked()
    const [{key = ''} = {}] = await json<{key: string}[]>('data', 'keys')
    const home = await openHome()
    onTestFinished(() => home.remove())
    const backup = join(home.folder, 'backup.age')
    await copyFile(join(kept, 'backup.age'), backup)
    const {code, stderr} = await home.run(['data', 'import', backup, '--trust', key], {
      now,
      stdin: `${PASSPHRASE}\n`,
    })
    expect({code, stderr}).toMatchObject({code: 0})
    expect(await home.json(['requests', 'list'], {now})).toHaveLength(2)
    expect(await home.json(['audit', 'verify'], {now})).toMatchObject({unsealed: 0})
  })

  test('what a gate has counted on a day still counts', async () => {
    const {data} = await unpacked()
    using sums = new KeptDaySums(join(data, 'day-sums.db'), now)
    expect(sums.reserve(counted)).toHaveProperty('refused')
  })
})
