// One report of several machines: signed files, which keys count, and that nothing is counted twice.
import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {signFor} from '../../src/commands/data/shared/machine-key.ts'
import {readSignedReport} from '../../src/commands/report/shared/signed-report.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {runs} from '../helpers/whole.ts'

let boss: Home
let desk: Home
let file: string
beforeEach(async () => {
  ;[boss, desk] = [await openHome(), await openHome()]
  file = join(boss.folder, 'desk.report')
})
afterEach(() => Promise.all([boss.remove(), desk.remove()]))

interface Entry {
  readonly request: string
  readonly did: string
  readonly state: string
  readonly machines: readonly string[]
}
interface Shift {
  readonly writes: number
  readonly money: readonly unknown[]
  readonly auditUsers: readonly string[]
  readonly entries: readonly Entry[]
  readonly unvouched: readonly Entry[]
  readonly conflicting: readonly Entry[]
  readonly machines: readonly {name: string; key: string; signature: string; entries: number}[]
}

const limit = (at: Home, amount: number, user = 'bella') =>
  at.run(['accounts', 'limit', '2001', String(amount), '--type', 'credit', '--audit-user', user])
const send = (at: Home, transfer: string) =>
  at.run(['a2a', 'create', '--transfer', transfer, '--yes', '--wait'])
const sign = async (at: Home, to = file, ...more: string[]) => {
  const {code, stderr} = await at.run(['report', 'shift', '--signed', to, ...more])
  expect(code, stderr).toBe(0)
}
const keyOf = async (at: Home): Promise<string> =>
  (await at.json<{key: string}[]>(['data', 'keys']))[0]?.key ?? ''
const trustAs = async (name: string) =>
  expect((await boss.run(['data', 'keys', '--trust', await keyOf(desk), '--name', name])).code).toBe(0)
const withFile = (...more: string[]) => boss.json<Shift>(['report', 'shift', '--with', file, ...more])

/** Signs another content with the key of a machine, as its owner can. */
function resign(
  at: Home,
  change: (report: {entries: Record<string, unknown>[]} & Record<string, unknown>) => void,
) {
  const [, body = ''] = readFileSync(file, 'utf8').split('\n')
  const report = JSON.parse(body)
  change(report)
  const text = JSON.stringify(report)
  const {publicKey, signature} = signFor(join(at.folder, '.local/share/cardctl'), ['report', text])
  const head = JSON.stringify({format: 'cardctl report 1', publicKey, signature})
  writeFileSync(file, `${head}\n${text}\n`)
}

describe('report shift --with', () => {
  it('has the entries and sums of all machines whose keys are known, each line with its machine', async () => {
    await limit(boss, 5000, 'anna')
    await send(boss, '2006:2007:1:EUR')
    await limit(desk, 6)
    await send(desk, '2006:2007:2.50:EUR')
    await sign(desk)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await trustAs('desk-2')
    const shift = await withFile()
    expect(shift).toMatchObject({
      writes: 4,
      money: [{currency: 'EUR', transfers: 2, total: '3.50'}],
      unvouched: [],
      conflicting: [],
      machines: [
        {signature: 'own', entries: 2},
        {name: 'desk-2', key: await keyOf(desk), signature: 'verified', entries: 2},
      ],
    })
    expect(shift.auditUsers).toEqual(['anna', 'bella', 'tester'])
    expect(shift.entries.filter(({machines}) => machines.includes('desk-2'))).toHaveLength(2)
    const {stdout} = await boss.run(['report', 'shift', '--with', file], {columns: 200})
    expect(stdout).toMatch(/desk-2 +[a-p-]{39} +verified, key trusted here/)
  })

  it('counts nothing of a key that nobody vouched for, and never calls it verified', async () => {
    await send(desk, '2006:2007:900:EUR')
    await sign(desk)
    const shift = await withFile()
    expect(shift).toMatchObject({
      writes: 0,
      money: [],
      entries: [],
      machines: [{}, {signature: 'key not known here'}],
    })
    expect(shift.unvouched).toHaveLength(1)
    expect(shift.machines[1]?.name).toMatch(/\(unknown key [a-p]{4}-[a-p]{4}\)$/)
    const page = join(boss.folder, 'shift.html')
    const {stdout, stderr} = await boss.run(['report', 'shift', '--with', file, '--html', page], {
      columns: 160,
    })
    expect(stderr).toContain(`data keys --trust ${await keyOf(desk)}`)
    for (const text of [stdout, readFileSync(page, 'utf8')]) {
      expect(text).toContain('key not known here')
      expect(text).not.toContain('verified')
    }
    const csv = ['report', 'shift', '--with', file, '-o', 'csv', '--columns', 'counted', '--no-header']
    expect((await boss.run(csv)).stdout).toBe('false\n')
  })

  it('takes --trust for one report, in capitals and without hyphens too', async () => {
    await limit(desk, 6)
    await sign(desk)
    const key = (await keyOf(desk)).replaceAll('-', '').toUpperCase()
    expect(await withFile('--trust', key)).toMatchObject({writes: 1, unvouched: []})
    expect(await withFile()).toMatchObject({writes: 0})
    const other = ['report', 'shift', '--with', file, '--trust', 'abcd']
    expect(await boss.run(other)).toMatchObject({code: 2, stderr: expect.stringContaining('32 letters')})
  })

  it('has a request once that several files have', async () => {
    await limit(desk, 6)
    await send(desk, '2006:2007:2:EUR')
    await sign(desk)
    const later = join(boss.folder, 'later.report')
    await limit(desk, 7)
    await sign(desk, later)
    await trustAs('desk-2')
    const shift = await withFile('--with', later, '--with', file)
    expect(shift).toMatchObject({writes: 3, money: [{transfers: 1, total: '2.00'}]})
    expect(new Set(shift.entries.map(({request}) => request)).size).toBe(3)
  })

  it('takes its own signed report, and its reveals once', async () => {
    await boss.run(['pin', 'view', '3001', '--reveal', '--yes'])
    await limit(boss, 6)
    const before = await boss.json<Shift & {reveals: number}>(['report', 'shift'])
    expect(before.reveals).toBe(1)
    await sign(boss)
    expect(await withFile()).toMatchObject({reveals: 1, writes: 1, machines: [{}, {signature: 'own'}]})
  })

  it('believes no unknown key about a request of another machine', async () => {
    await boss.run([
      'sandbox',
      'faults',
      'add',
      '--operation',
      'a2a.create.v1',
      '--drop',
      'after',
      '--count',
      '1',
    ])
    await send(boss, '2006:2007:5:EUR')
    await sign(boss)
    // Somebody else takes that file, says that the request was refused, and signs with an own key.
    await keyOf(desk)
    resign(desk, ({entries}) => {
      for (const entry of entries) Object.assign(entry, {state: 'refused', auditUser: 'anna'})
    })
    const shift = await withFile()
    expect(shift.entries.map(({state}) => state)).toEqual(['unknown'])
    expect(shift.unvouched.map(({state}) => state)).toEqual(['refused'])
  })

  it('lists apart what two known machines report differently', async () => {
    await limit(boss, 6)
    await sign(boss)
    await keyOf(desk)
    resign(desk, ({entries}) => {
      for (const entry of entries) entry.state = 'refused'
    })
    await trustAs('desk-2')
    const shift = await withFile()
    expect([shift.entries.map(({state}) => state), shift.conflicting.map(({state}) => state)]).toEqual([
      ['done'],
      ['refused'],
    ])
    expect(shift.writes).toBe(1)
  })

  it('knows the end of a request that another machine found out', async () => {
    await boss.run([
      'sandbox',
      'faults',
      'add',
      '--operation',
      'a2a.create.v1',
      '--drop',
      'after',
      '--count',
      '1',
    ])
    await send(boss, '2006:2007:5:EUR')
    await sign(boss)
    await keyOf(desk)
    resign(desk, ({entries}) => {
      for (const entry of entries) Object.assign(entry, {state: 'done', evidence: 'found as batch 88001'})
    })
    await trustAs('desk-2')
    const shift = await withFile()
    expect(shift.entries).toMatchObject([{state: 'done', evidence: 'found as batch 88001'}])
    expect(shift.entries[0]?.machines).toHaveLength(2)
    expect(shift).toMatchObject({open: 0, money: [{total: '5.00'}]})
  })

  it('says what a file does not cover, and takes from it only what belongs to the report', async () => {
    await limit(desk, 6)
    await limit(desk, 7, 'carl')
    await sign(desk, file, '--since', '1h', '--by', 'carl')
    await trustAs('desk-2')
    const {stderr, stdout} = await boss.run(['report', 'shift', '--with', file], {columns: 160})
    expect(stderr).toContain('what was done before is missing')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('only by carl')
    expect(await withFile('--by', 'bella')).toMatchObject({writes: 0})
    expect(await withFile('--by', 'carl')).toMatchObject({writes: 1})
  })

  it('says on every page which part of the time a file lacks', async () => {
    await limit(boss, 5000)
    await sign(desk, file, '--since', '8h', '--until', '5h')
    await trustAs('desk-2')
    const page = join(boss.folder, 'joined.html')
    const {stdout, stderr} = await boss.run(
      ['report', 'shift', '--since', '12h', '--with', file, '--html', page],
      {columns: 300},
    )
    expect(stderr).toContain('what was done before is missing')
    expect(stderr).toContain('what was done after is missing')
    for (const text of [stdout, readFileSync(page, 'utf8')])
      expect(text).toContain('missing: what was done before, what was done after')
    expect(await withFile('--since', '8h')).toMatchObject({
      machines: [{}, {gaps: [{after: expect.any(String)}]}],
    })
  })

  it('gives two machines with one host name different names', async () => {
    await sign(desk)
    await boss.run(['data', 'keys', '--trust', await keyOf(desk)])
    const {machines} = await withFile()
    expect(new Set(machines.map(({name}) => name)).size).toBe(2)
  })

  it('of another service refuses', async () => {
    await limit(desk, 6)
    await sign(desk)
    resign(desk, report => {
      report.place = '{"address":"card.example:443"}'
      report.service = 'https://card.example'
    })
    expect(await boss.run(['report', 'shift', '--with', file])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is about another service, https://card.example'),
    })
  })
})

describe('a signed report is refused', () => {
  const refused = async (bytes: Uint8Array) => {
    writeFileSync(file, bytes)
    await expect(readSignedReport(file, new AbortController().signal)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    })
  }
  let good: Buffer
  beforeEach(async () => {
    await limit(desk, 6)
    await send(desk, '2006:2007:2:EUR:Rent')
    await sign(desk)
    good = readFileSync(file)
    expect((await readSignedReport(file, new AbortController().signal)).report.entries).toHaveLength(2)
  })

  it('with any byte changed, in any bit', async () => {
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8))
      await refused(bad)
    }
  })

  it('cut, lengthened, or with a part moved, doubled or removed', async () => {
    const place = fc.nat({max: good.length - 1})
    await fc.assert(
      fc.asyncProperty(place, place, place, async (one, other, to) => {
        const [from, end] = [Math.min(one, other), Math.max(one, other) + 1]
        const part = good.subarray(from, end)
        const rest = Buffer.concat([good.subarray(0, from), good.subarray(end)])
        const moved = Buffer.concat([rest.subarray(0, to), part, rest.subarray(to)])
        const bad = [
          good.subarray(0, from),
          Buffer.concat([good, part]),
          Buffer.concat([good.subarray(0, to), part, good.subarray(to)]),
          rest,
          moved,
        ]
        for (const bytes of bad) if (!bytes.equals(good)) await refused(bytes)
      }),
      {numRuns: runs(300)},
    )
  })

  it('with rows removed or in another order, spaces, a byte order mark, or other line ends', async () => {
    const [head = '', body = ''] = good.toString().split('\n')
    const report = JSON.parse(body)
    const {entries} = report
    const written = (value: unknown) => Buffer.from(`${head}\n${JSON.stringify(value)}\n`)
    await refused(written({...report, entries: entries.slice(1)}))
    await refused(written({...report, entries: entries.toReversed()}))
    await refused(written({...report, entries: [...entries, entries[0]]}))
    await refused(Buffer.from(good.toString().replace('","signature"', '", "signature"')))
    await refused(Buffer.from(`\uFEFF${good}`))
    await refused(Buffer.from(good.toString().replaceAll('\n', '\r\n')))
    await refused(good.subarray(0, -1))
    await refused(Buffer.from(''))
  })

  it('with the signature of an export, or the key of somebody else beside the signature', async () => {
    const [head = '', body = ''] = good.toString().split('\n')
    const data = (at: Home) => join(at.folder, '.local/share/cardctl')
    const own = JSON.parse(head)
    const exported = signFor(data(desk), ['export', body])
    await refused(Buffer.from(`${JSON.stringify({...own, ...exported})}\n${body}\n`))
    const {publicKey} = signFor(data(boss), ['report', body])
    await refused(Buffer.from(`${JSON.stringify({...own, publicKey})}\n${body}\n`))
  })

  it('with a good signature and a content that is no report', async () => {
    const changes: ((report: Record<string, unknown>) => void)[] = [
      report => {
        report.entries = 5
      },
      report => {
        report.machine = 'desk\u001b[2J'
      },
      report => {
        report.entries = [{at: 'now'}]
      },
      report => {
        report.more = true
      },
    ]
    for (const change of changes) {
      writeFileSync(file, good)
      resign(desk, change)
      await refused(readFileSync(file))
    }
  })

  it('by the command, which reports nothing then', async () => {
    writeFileSync(file, good.toString().replace('Rent', 'rent').replace('2001', '2002'))
    const result = await boss.run(['report', 'shift', '--with', file])
    expect(result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('was changed after it was signed'),
    })
    expect(await boss.run(['report', 'shift', '--with', join(boss.folder, 'none')])).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})
