import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {workingKeyring} from '../profiles/fixtures.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Line {
  readonly kind: string
  readonly operation: string
}

/** Oldest first. */
async function trail(...filter: string[]): Promise<string[]> {
  const lines = await home.json<Line[]>(['audit', 'list', ...filter])
  return lines.reverse().map(({kind, operation}) => `${kind} ${operation}`)
}

describe('the audit trail tells what a request did', () => {
  it('a disclosure counts, whether its response is shown or not', async () => {
    await home.json(['cards', 'payment-info', '3001'])
    await home.json(['pin', 'view', '3001'])
    expect(await trail()).toEqual([
      'disclose cards.paymentInfo.v3',
      'disclose pincontrol.create.v2',
      'disclose pin.view.v3',
    ])
  })

  it('a reveal is a line more', async () => {
    await home.json(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    await home.json(['pin', 'view', '3001', '--reveal', '--yes'])
    expect(await trail('--resource', '3001')).toEqual([
      'disclose cards.paymentInfo.v3',
      'reveal cards.paymentInfo.v3',
      'disclose pincontrol.create.v2',
      'disclose pin.view.v3',
      'reveal pin.view.v3',
    ])
    expect(await trail('--kind', 'reveal')).toEqual(['reveal cards.paymentInfo.v3', 'reveal pin.view.v3'])
  })

  it('writes, destruction and bulk runs each by their mark, reads not at all', async () => {
    await home.json(['cards', 'get', '3001'])
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    await home.json(['pricelists', 'period', 'delete', '6003', '--yes'])
    const stdin = 'id\n6004\n'
    const destroy = ['bulk', 'run', 'pricelists.deletePeriod.v1', '--from', '-', '--yes']
    expect(await home.run(destroy, {stdin})).toMatchObject({code: 0})
    expect(await trail()).toEqual([
      'write accounts.patchCredit.v4',
      'destroy pricelists.deletePeriod.v1',
      'destroy pricelists.deletePeriod.v1',
    ])
    expect(await trail('--kind', 'write')).toEqual(['write accounts.patchCredit.v4'])
  })
})

describe('audit export', () => {
  it('exports every entry, oldest first, also as CSV', async () => {
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    await home.json(['pin', 'view', '3001', '--reveal', '--yes'])
    const {stdout, code} = await home.run(['audit', 'export', '-o', 'csv'])
    const [header, ...lines] = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(header).toMatch(/^seq,at,kind,osUser,auditUser,profile,operation,resources,members,key,/)
    expect(lines.map(line => line.split(',')[2])).toEqual(['write', 'disclose', 'disclose', 'reveal'])
    expect((await home.run(['audit', 'export', '-o', 'ndjson'])).stdout.trimEnd().split('\n')).toHaveLength(4)
  })

  it('also exports a broken trail, and says where it breaks', async () => {
    await home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
    const file = join(home.folder, '.local/share/cardctl/audit.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"account:2001"', '"account:2002"'))
    const {stdout, stderr, code} = await home.run(['audit', 'export', '-o', 'ndjson'])
    expect(JSON.parse(stdout)).toMatchObject({kind: 'write', resources: ['account:2002']})
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('broken at line 1')})
  })
})

const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
const data = (name: string) => join(home.folder, '.local/share/cardctl', name)
const remove = (...names: readonly string[]) => {
  for (const name of readdirSync(data('.')))
    if (names.some(each => name === each || name.startsWith(`${each}-`))) rmSync(data(name))
}

describe('the key of the trail', () => {
  it('is in a file if there is no keyring, and audit verify says so', async () => {
    await home.json(PATCH)
    expect(statSync(data('audit.key')).mode & 0o777).toBe(0o600)
    expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, key: `file ${data('audit.key')}`})
  })

  it('is in the keyring if there is one, and nowhere else', async () => {
    const keyring = workingKeyring()
    const openKeyring = async () => keyring
    await home.json(PATCH, {openKeyring})
    const [key] = keyring.entries.values()
    expect(keyring.entries.size).toBe(1)
    expect(readFileSync(data('audit.key'), 'utf8')).not.toContain(key?.open() ?? '')
    expect(await home.json(['audit', 'verify'], {openKeyring})).toMatchObject({ok: true, key: 'keyring'})
    await home.json(PATCH, {openKeyring})
    expect(keyring.entries.size).toBe(1)
  })

  it('in a keyring that does not respond, it prevents writes and says what to do', async () => {
    const keyring = workingKeyring()
    const openKeyring = async () => keyring
    await home.json(PATCH, {openKeyring})
    const refused = await home.run([...PATCH.slice(0, -1), 'creditLimit=7000'])
    expect(refused).toMatchObject({code: 3, stderr: expect.stringContaining('audit key --to file')})
    expect(await home.json(['sandbox', 'state', 'show', 'account', '2001'])).toMatchObject({effects: 1})
    expect((await home.run(['cards', 'get', '3001'])).code).toBe(0)
    expect((await home.run(['audit', 'list'])).code).toBe(0)
    expect((await home.run(['audit', 'verify'])).code).toBe(3)
    await home.json(['audit', 'key', '--to', 'file'], {openKeyring})
    expect(keyring.entries.size).toBe(0)
    await home.json(PATCH)
    // Where the key is now is an entry of its own.
    expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, lines: 3})
    await home.json(['audit', 'key', '--to', 'keyring'], {openKeyring})
    expect(await home.json(['audit', 'verify'], {openKeyring})).toMatchObject({ok: true, key: 'keyring'})
  })

  it('detects that there was a trail, when its files are gone', async () => {
    await home.json(PATCH)
    remove('audit.ndjson', 'audit.ndjson.head')
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 3})
    await home.json(PATCH)
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 3})
  })

  it('may be gone too: then the journal knows', async () => {
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
    await home.json(['cards', 'get', '3001'])
    await home.run(['requests', 'list'])
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
    await home.json(PATCH)
    remove('audit.ndjson', 'audit.ndjson.head', 'audit.key')
    expect(await home.run(['audit', 'verify'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no entry for request r_'),
    })
  })

  it('that was replaced does not make a trail sound', async () => {
    await home.json(PATCH)
    remove('audit.key')
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 3})
    await home.json(PATCH)
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 3})
    const {stderr} = await home.run(['audit', 'verify'])
    expect(stderr).toContain('names another key')
    // The way out that the message names.
    const old = join(home.folder, 'old.ndjson')
    const before = readFileSync(data('audit.ndjson'), 'utf8')
    expect(stderr).toContain('audit begin --export')
    await home.json(['audit', 'begin', '--export', old, '--yes'])
    expect(readFileSync(old, 'utf8')).toBe(before)
    await home.json(PATCH)
    expect(await home.json(['audit', 'verify'])).toMatchObject({
      ok: true,
      lines: 2,
      begun: {isSigned: false},
    })
  })
})

describe('audit anchor', () => {
  it('prints a value that verify finds, unless the trail was rewritten', async () => {
    expect((await home.run(['audit', 'anchor'])).code).toBe(5)
    await home.json(PATCH)
    await home.json(PATCH)
    const {anchor} = await home.json<{anchor: string}>(['audit', 'anchor'])
    expect(await home.json(['audit', 'verify', '--anchor', anchor])).toMatchObject({
      ok: true,
      anchor: 'found',
    })
    expect((await home.run(['audit', 'verify', '--anchor', anchor.slice(1)])).code).toBe(2)
    remove('audit.ndjson', 'audit.ndjson.head', 'audit.key')
    await home.json(['audit', 'begin', '--export', join(home.folder, 'old.ndjson'), '--yes'])
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
    expect(await home.run(['audit', 'verify', '--anchor', anchor])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the trail ends before it'),
    })
  })
})

describe('audit begin', () => {
  const begin = (name: string) => ['audit', 'begin', '--export', join(home.folder, name), '--yes']

  it('has the old key sign the new one, and expects no entries for earlier requests', async () => {
    await home.json(PATCH)
    const {publicKey} = await home.json<{publicKey: string}>(begin('old.ndjson'))
    expect(publicKey).toMatch(/^[0-9a-f]{64}$/)
    const {stdout, stderr} = await home.run(['audit', 'verify', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ok: true, lines: 1, begun: {isSigned: true}})
    expect(stderr).toContain('in the place of another one')
    expect((await home.run(begin('old.ndjson'))).code).not.toBe(0)
    // What ends from now on is expected.
    await home.json(PATCH)
    const lines = readFileSync(data('audit.ndjson'), 'utf8').split('\n')
    remove('audit.ndjson', 'audit.ndjson.head', 'audit.key')
    expect(lines).toHaveLength(3)
    await home.json(PATCH)
    expect(await home.run(['audit', 'verify'])).toMatchObject({code: 3})
  })

  it('stays explained when its entry is pruned', async () => {
    const now = Date.UTC(2026, 0, 5)
    await home.json(PATCH, {now: () => now})
    await home.json(begin('old.ndjson'), {now: () => now})
    const later = {now: () => now + 86_400_000}
    await home.json(PATCH, later)
    const prune = ['audit', 'prune', '--older-than', '12h', '--export', join(home.folder, 'cut'), '--yes']
    expect(await home.json(prune, later)).toMatchObject({removed: 1})
    expect(await home.json(['audit', 'verify'], later)).toMatchObject({ok: true, pruned: 1})
  })
})

describe('audit prune', () => {
  it('does not explain what is missing', async () => {
    const now = Date.UTC(2026, 0, 5)
    await home.json(PATCH, {now: () => now})
    remove('audit.ndjson', 'audit.ndjson.head', 'audit.key')
    await home.json(PATCH, {now: () => now})
    const later = {now: () => now + 86_400_000}
    const prune = ['audit', 'prune', '--older-than', '12h', '--export', join(home.folder, 'cut'), '--yes']
    expect(await home.run(prune, later)).toMatchObject({code: 3})
    expect((await home.run(['audit', 'verify'], later)).code).toBe(3)
  })

  it('exports the entries before it removes them, and says what stays', async () => {
    const now = Date.UTC(2026, 0, 5)
    await home.json(PATCH, {now: () => now})
    const later = {now: () => now + 90 * 86_400_000}
    await home.json(PATCH, later)
    const lines = readFileSync(data('audit.ndjson'), 'utf8')
    const line = ['audit', 'prune', '--older-than', '30d', '--yes']
    expect(await home.run(line, later)).toMatchObject({code: 2, stderr: expect.stringContaining('--export')})
    expect(readFileSync(data('audit.ndjson'), 'utf8')).toBe(lines)
    const file = join(home.folder, 'old.ndjson')
    expect(await home.json([...line, '--export', file], later)).toEqual({
      removed: 1,
      removedUntil: '2026-01-05T00:00:00.000Z',
      kept: 1,
      keptSince: '2026-04-05T00:00:00.000Z',
      exported: file,
    })
    expect(readFileSync(file, 'utf8')).toBe(`${lines.split('\n')[0]}\n`)
    expect(await home.run([...line, '--export', file], later)).toMatchObject({code: 0})
    expect(await home.json(['audit', 'verify'])).toMatchObject({ok: true, pruned: 1})
    expect(existsSync(data('audit.ndjson.new'))).toBe(false)
  })
})
