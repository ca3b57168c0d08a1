import {randomBytes} from 'node:crypto'
import {cpSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {ORIGIN} from '../../src/audit/audit-entry.ts'
import {chain} from '../../src/audit/trail-file.ts'
import {signFacts} from '../../src/sensitive/ed25519.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {part} from '../helpers/whole.ts'

type Members = Record<string, unknown>

let home: Home
/** As somebody keeps it elsewhere, from before the attack. */
let anchor: string
const takeAnchor = async () => {
  anchor = (await home.json<{anchor: string}>(['audit', 'anchor'])).anchor
}
const data = (name = '.') => join(home.folder, '.local/share/cardctl', name)
const change = (more = {}) =>
  home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'], more)

beforeEach(async () => {
  home = await openHome()
  for (let n = 0; n < 4; n++) await change()
  await takeAnchor()
})
afterEach(() => home.remove())

const linesHere = () => readFileSync(data('audit.ndjson'), 'utf8').trimEnd().split('\n')
const write = (lines: readonly string[]) => writeFileSync(data('audit.ndjson'), `${lines.join('\n')}\n`)

function remove(...names: readonly string[]): void {
  for (const name of readdirSync(data()))
    if (names.some(each => name === each || name.startsWith(`${each}-`))) rmSync(data(name))
}

const ownKey = () =>
  Buffer.from(/[0-9a-f]{64}/.exec(readFileSync(data('audit.key'), 'latin1'))?.[0] ?? '', 'hex')

/** Writes a trail as its key would have it: what somebody can do who knows the format and has a key. */
function reseal(change: (entries: Members[]) => Members[], key: Buffer, {head = true} = {}): void {
  const entries = linesHere().map((line): Members => {
    const {seq: _, prev: __, hash: ___, publicKey: ____, ...members} = JSON.parse(line)
    return members
  })
  const {text, seq, hash} = chain(change(entries), {seq: 0, hash: ORIGIN}, key)
  writeFileSync(data('audit.ndjson'), text)
  if (!head) return
  const db = new DatabaseSync(data('audit.ndjson.head'))
  const facts = [seq, hash, text.length]
  db.prepare('UPDATE head SET seq = ?, hash = ?, size = ?, seal = ?').run(
    seq,
    hash,
    text.length,
    signFacts(['head', ...facts], key),
  )
  db.close()
}

const place = (key: Buffer) => writeFileSync(data('audit.key'), `key:${key.toString('hex')}\n`)
const renamed = (entries: Members[]) =>
  entries.map(entry => ({...entry, auditUser: 'somebody else', osUser: 'bo'}))

function inJournals(sql: string): void {
  for (const name of readdirSync(data('journal')).filter(each => each.endsWith('.db'))) {
    const db = new DatabaseSync(data(`journal/${name}`))
    db.exec(sql)
    db.close()
  }
}

/** Copies of files of the data folder, put back after another request. */
async function goBack(isCopied: (name: string) => boolean): Promise<void> {
  const copy = join(home.folder, 'copy')
  cpSync(data(), copy, {recursive: true})
  await change()
  await takeAnchor()
  for (const name of readdirSync(data())) if (isCopied(name)) rmSync(data(name), {recursive: true})
  for (const name of readdirSync(copy))
    if (isCopied(name)) cpSync(join(copy, name), data(name), {recursive: true})
}

const isTrail = (name: string) => name.startsWith('audit')
const begin = (to = 'old', more = {}) =>
  home.json(['audit', 'begin', '--export', join(home.folder, to), '--yes'], more)
const prune = (to = 'cut', more = {}) =>
  home.json(
    ['audit', 'prune', '--older-than', '0s', '--export', join(home.folder, to), '--clock-is-right', '--yes'],
    more,
  )

async function damagedAndBegun(then: () => unknown = () => {}): Promise<void> {
  write(linesHere().filter((_, at) => at !== 1))
  await begin()
  await then()
}

interface Attack {
  readonly name: string
  run(): unknown
  /** What `audit verify` says on stderr. */
  readonly says?: string
}

/** The beginning of a row of the table, and what it means in files. */
const attacks: Record<string, readonly Attack[]> = {
  'changes, removes': [
    {name: 'changed', run: () => write(linesHere().map(line => line.replace('"done"', '"none"')))},
    {name: 'removed', run: () => write(linesHere().filter((_, at) => at !== 1))},
    {name: 'first removed', run: () => write(linesHere().slice(1))},
    {name: 'moved', run: () => write(linesHere().reverse())},
    {name: 'cut off', run: () => write(linesHere().slice(0, -1))},
  ],
  'recomputes the whole chain': [
    {name: 'without the head', run: () => reseal(renamed, ownKey(), {head: false})},
    {
      name: 'with the head',
      run: () => {
        const key = randomBytes(32)
        reseal(renamed, key)
      },
    },
  ],
  'removes the head': [
    {name: 'head', run: () => remove('audit.ndjson.head')},
    {name: 'key', run: () => remove('audit.key')},
    {name: 'trail and head', run: () => remove('audit.ndjson', 'audit.ndjson.head')},
  ],
  'removes trail, head and key': [
    {name: 'all', run: () => remove('audit.ndjson', 'audit.ndjson.head', 'audit.key')},
  ],
  'puts another key': [
    {
      name: 'with fewer entries',
      run: () => {
        const key = randomBytes(32)
        reseal(entries => entries.slice(2), key)
        place(key)
      },
      says: 'There is no entry for request r_',
    },
    {
      name: 'with other names',
      run: () => {
        const key = randomBytes(32)
        reseal(renamed, key)
        place(key)
      },
      says: 'knows the trail by another key',
    },
    {
      name: 'with the same entries',
      run: () => place(randomBytes(32)),
      says: 'names another key',
    },
  ],
  'restores older copies of trail': [
    {name: 'older', run: () => goBack(isTrail), says: 'no entry for request'},
    ...[begin, prune].map(make => ({
      name: `after a ${make.name} by a clock in the future`,
      run: async () => {
        await make('future', {now: () => Date.now() + 365 * 86_400_000})
        await goBack(isTrail)
      },
      says: 'no entry for request',
    })),
    {
      name: 'after a prune of an entry by a clock in the future',
      run: async () => {
        await change({now: () => Date.now() + 47 * 3_600_000})
        await prune('future', {now: () => Date.now() + 47 * 3_600_000})
        await goBack(isTrail)
      },
      says: 'no entry for request',
    },
    ...[begin, prune].map(make => ({
      name: `and gives later requests the mark of a ${make.name}`,
      run: async () => {
        await make()
        await change()
        await goBack(isTrail)
        inJournals(
          'UPDATE request SET excused_by = (SELECT max(excused_by) FROM request) WHERE excused_by IS NULL',
        )
      },
      says: 'no entry for request',
    })),
  ],
  'appends an entry': [
    {
      name: 'added',
      run: () => {
        const {seq, hash, prev: _, ...last} = JSON.parse(linesHere().at(-1) ?? '')
        const {text} = chain([{...last, marks: []}], {seq, hash: `${hash}`}, randomBytes(32))
        writeFileSync(data('audit.ndjson'), text, {flag: 'a'})
      },
      says: 'not sealed',
    },
  ],
  'sets the clock back': [
    {name: 'back', run: () => change({now: () => Date.UTC(2021, 0, 5)}), says: 'older than the one before'},
  ],
  'runs `audit prune`': [
    {
      name: 'prune',
      run: () => prune(),
    },
    {
      name: 'begin',
      run: () => begin(),
      says: 'in the place of another one',
    },
  ],
  'begins another trail after': [
    {name: 'twice', run: () => damagedAndBegun(() => begin('again')), says: 'not intact was replaced'},
    {name: 'and prunes', run: () => damagedAndBegun(prune), says: 'not intact was replaced'},
    {name: 'once', run: () => damagedAndBegun(), says: 'was not intact'},
  ],
  'changes entries and seals': [{name: 'same key', run: () => reseal(renamed, ownKey())}],
  'sets rows of a bulk job': [
    {
      name: 'refused',
      run: async () => {
        const stdin = 'id,creditLimit\n2001,6500\n9999,6500\n'
        const argv = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '-o', 'json']
        const {job} = JSON.parse((await home.run(argv, {stdin})).stdout) as {job: string}
        inJournals("UPDATE bulk_row SET state = 'done'")
        expect(await home.json(['bulk', 'status', job])).toMatchObject({done: 2, failed: 0})
        const entries = await home.json<Members[]>(['audit', 'list', '--limit', '2'])
        expect(entries.filter(({outcome}) => outcome === 'done')).toHaveLength(1)
      },
    },
  ],
  'deletes requests from the journals': [
    ...[
      'DELETE FROM request',
      "UPDATE request SET outcome = 'none'",
      'UPDATE request SET resolved_at = 0',
    ].map(sql => ({
      name: sql,
      run: async () => {
        await prune()
        await goBack(isTrail)
        inJournals(`${sql} WHERE excused_by IS NULL`)
      },
    })),
  ],
  'rewrites trail, key and journals': [
    {name: 'older', run: () => goBack(() => true)},
    {
      name: 'rewritten',
      run: () => {
        const key = randomBytes(32)
        reseal(renamed, key)
        place(key)
        inJournals('DELETE FROM trail_key')
      },
    },
  ],
}

const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
const [, table = ''] = /\| if somebody \|.*?\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? []
const rows = table
  .trimEnd()
  .split('\n')
  .map(row => row.split('|').map(cell => cell.trim()))

describe('the table of what audit verify finds', () => {
  it('has no row without an attack, and no attack without a row', () => {
    const found = rows.map(([, who = '']) => Object.keys(attacks).find(start => who.startsWith(start)))
    expect(found).toEqual(Object.keys(attacks))
  })

  for (const [, who = '', verdict = ''] of rows) {
    const start = Object.keys(attacks).find(each => who.startsWith(each)) ?? ''
    const fails = verdict.startsWith('fails')
    for (const {name, run, says = ''} of part(attacks[start] ?? [], 2)) {
      it(`is true if somebody ${who}: ${name}`, async () => {
        await run()
        const verify = await home.run(['audit', 'verify'])
        expect(verify).toMatchObject({code: fails ? 3 : 0, stderr: expect.stringContaining(says)})
        const doctor = await home.run(['doctor'])
        // What verify says of a trail that passes, doctor says too.
        if (!fails && says !== '' && says !== 'not sealed')
          expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(says)
        if (fails) expect(doctor.stdout).not.toMatch(/Audit trail.*sound/)
        if (verdict === 'shows nothing') {
          expect((await home.run(['audit', 'verify', '--anchor', anchor])).code).toBe(3)
        }
        if (!fails) return
        await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=7000'])
        expect((await home.run(['audit', 'verify'])).code).toBe(3)
      })
    }
  }
})

describe('an anchor from before an audit begin', () => {
  const verify = () => home.run(['audit', 'verify', '--anchor', anchor, '-o', 'json'])

  it.each([0, 9])('is of the trail before, with %d entries since', async entries => {
    await begin()
    for (let n = 0; n < entries; n++) await change()
    const {code, stdout, stderr} = await verify()
    expect([code, JSON.parse(stdout).anchor]).toEqual([0, 'before'])
    const [, pattern = 'none'] = /grep '(.*?)' FILE/.exec(stderr.replaceAll('\\"', '"')) ?? []
    expect(readFileSync(join(home.folder, 'old'), 'utf8')).toContain(pattern)
  })

  it('is broken if the trail before was not intact', async () => {
    await damagedAndBegun()
    expect((await verify()).code).toBe(3)
  })

  it('is broken if it was made later and its entry is gone', async () => {
    await begin()
    await goBack(isTrail)
    inJournals('DELETE FROM request WHERE excused_by IS NULL')
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
    expect((await verify()).code).toBe(3)
  })
})
