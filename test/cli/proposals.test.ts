import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {decodeKept, encodeKept, KEPT_MS, type KeptRequests} from '../../src/cli/proposal-content.ts'
import {Proposals, type Verdict} from '../../src/cli/proposals.ts'
import {sameProposals} from '../../src/cli/same-proposal.ts'
import {Failure} from '../../src/errors/failure.ts'
import {openHome} from '../helpers/cli.ts'

let made: string
let proposals: Proposals
beforeEach(() => {
  made = mkdtempSync(join(tmpdir(), 'cardctl-proposals-'))
  proposals = new Proposals({name: 'staging', kind: 'test', proposals: made})
})
afterEach(() => rmSync(made, {recursive: true, force: true}))

const NOON = Date.parse('2024-11-22T12:00:00Z')
const content: Omit<KeptRequests, 'format' | 'nonce'> = {
  at: new Date(NOON).toISOString(),
  expiresAt: new Date(NOON + KEPT_MS).toISOString(),
  auditUser: 'aino',
  service: '{"address":"api.example:443/card","groups":{}}',
  serviceWords: 'https://api.example/card as client portal',
  requests: [
    {
      operation: 'accounts.patchCredit.v4',
      input: {path: {id: '2001'}, query: {}, body: {creditLimit: 5}},
      key: 'k',
    },
  ],
}
const at = (time: number, decision: Verdict['decision'] = 'rejected'): Verdict => ({
  decision,
  at: new Date(time).toISOString(),
  auditUser: 'bo',
})

it('is one of 500 of a user in a day, and of more than that the newest are read', () => {
  const first = proposals.add(content)
  const text = readFileSync(join(made, `${first}.json`))
  for (let at = 1; at < 500; at++)
    writeFileSync(join(made, `p_${String(at).padStart(40, '0')}.json`), 'unread', {mode: 0o640})
  expect(() => proposals.add(content)).toThrow(/has 500 proposals of the last 24 hours/)
  for (let at = 500; at < 700; at++)
    writeFileSync(join(made, `p_${String(at).padStart(40, '0')}.json`), text, {mode: 0o640})
  const {found, refused} = proposals.all()
  expect(found).toEqual([])
  expect(refused).toHaveLength(501)
  expect(refused.at(-1)?.message).toMatch(/has 700 proposals here. Only the newest 500 are read/)
})

it('is read with no more than 64 MiB of its maker', () => {
  for (let at = 1; at < 6; at++) {
    const path = join(made, `p_${String(at).padStart(40, '0')}.json`)
    writeFileSync(path, '', {mode: 0o640})
    truncateSync(path, 60 * 1024 * 1024)
  }
  const said = proposals.all().refused.map(({message}) => message)
  expect(said).toHaveLength(2)
  expect(said.at(-1)).toMatch(/has 5 proposals here.* at most 64 MiB/)
})

it('is not decided by an answer that comes after its end, or a second time', () => {
  const id = proposals.add(content)
  const found = proposals.get(id)
  expect(() => proposals.decide(found, at(NOON + KEPT_MS))).toThrow('expired at 2024-11-23 12:00')
  expect(readdirSync(made)).toEqual([`${id}.json`])
  expect(proposals.decide(found, at(NOON + KEPT_MS - 1))).toMatchObject({decision: 'rejected'})
  expect(() => proposals.decide(found, at(NOON + 1))).toThrow('was rejected by')
  expect(() => proposals.decide(proposals.get(id), at(NOON + 1))).toThrow('was rejected by')
})

it('is found while it waits by who proposes the same, whatever the key and the reference', () => {
  const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 5, currency: 'EUR'}]
  const batch = (mark: string, key: string): typeof content => {
    const body = {description: `Rent ref:${mark.repeat(20)}`, transfers}
    return {...content, requests: [{operation: 'a2a.create.v1', input: {path: {}, query: {}, body}, key}]}
  }
  const id = proposals.add(batch('a', 'k1'))
  const waiting = (asked: typeof content, now = NOON + 1) => sameProposals(proposals, asked, now)
  expect(waiting(batch('b', 'k2'))).toEqual([id])
  expect(waiting(content)).toEqual([])
  expect(waiting({...batch('b', 'k2'), service: 'another'})).toEqual([])
  expect(waiting(batch('b', 'k2'), NOON + KEPT_MS), 'expired').toEqual([])
  proposals.decide(proposals.get(id), at(NOON + 1))
  expect(waiting(batch('b', 'k2')), 'rejected').toEqual([])
})

it.each([-10, -1, 1, 10])('is not decided with the clock wrong by %s years', years => {
  const found = proposals.get(proposals.add(content))
  const wrong = at(NOON + 3_600_000 + years * 365 * 86_400_000)
  expect(() => proposals.decide(found, wrong)).toThrow(years < 0 ? 'still to come' : 'expired')
})

it('is not dated later than the system has had its file', () => {
  const dated = (later: number) => {
    const made = Date.now() + later
    const times = {at: new Date(made).toISOString(), expiresAt: new Date(made + KEPT_MS).toISOString()}
    return proposals.add({...content, ...times})
  }
  const id = dated(72_000_000)
  utimesSync(join(made, `${id}.json`), new Date(Date.now() + 1e8), new Date(Date.now() + 1e8))
  expect(() => proposals.get(id)).toThrow('after the time at which the system stored it')
  const soon = dated(120_000)
  const {found, refused} = proposals.all()
  expect(found.map(({proposal}) => proposal.id)).toEqual([soon])
  expect(refused.map(({code}) => code)).toEqual(['CONFIG_DAMAGED'])
})

it('its own author cannot write that it was approved', () => {
  const id = proposals.add(content)
  writeFileSync(join(made, `${id}.decision.json`), JSON.stringify(at(NOON, 'approved')), {mode: 0o640})
  expect(() => proposals.get(id)).toThrow('cannot approve their own proposal')
})

describe('its id is the digest of its content', () => {
  it('of every byte', () => {
    const {id, bytes} = encodeKept(content)
    expect(decodeKept(id, bytes)).toMatchObject(content)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({min: 1, max: 255}), (place, change) => {
        const other = Buffer.from(bytes)
        other.writeUInt8(other.readUInt8(place) ^ change, place)
        expect(decodeKept(id, other)).toBeUndefined()
      }),
    )
  })

  it('so an edited or exchanged file is none', () => {
    const [one, two] = [proposals.add(content), proposals.add(content)]
    expect(one).not.toBe(two)
    const file = join(made, `${one}.json`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('2001', '2002'))
    expect(() => proposals.get(one)).toThrow('it was changed')
    renameSync(join(made, `${two}.json`), file)
    expect(() => proposals.get(one)).toThrow('it was changed')
    const {found, refused} = proposals.all()
    expect([found.length, refused.length]).toEqual([0, 1])
  })

  it.each<[string, object]>([
    ['that lives longer than a day', {expiresAt: new Date(NOON + KEPT_MS + 1).toISOString()}],
    [
      'with a header',
      {requests: [{...content.requests[0], input: {path: {}, query: {}, headers: {a: 'b'}}}]},
    ],
    ['with a card number for a key', {requests: [{...content.requests[0], key: '4111111111111111'}]}],
    ['of an unknown operation', {requests: [{...content.requests[0], operation: 'constructor'}]}],
    ['of nothing', {requests: []}],
    ['of transfers that are none', {transfers: {again: true, rest: false, batches: [{key: 'k'}]}}],
  ])('a content %s is none', (_, wrong) => {
    const {id, bytes} = encodeKept({...content, ...wrong})
    expect(decodeKept(id, bytes)).toBeUndefined()
  })

  it('is shown with the service in the words of the profile, not in those of its author', async () => {
    const home = await openHome()
    const [service, address] = ['http://127.0.0.1:9', ['--base-url', 'http://127.0.0.1:9']]
    const who = ['--kind', 'test', '--auth', 'none', '--audit-user', 'aino', '--proposals', made]
    await home.json(['profiles', 'add', 'staging', ...address, ...who])
    const close = ['accounts', 'close', '2001', '--type', 'credit', '--propose', '-p', 'staging']
    const {id} = (await home.json(close)) as {id: string}
    const {nonce: _, format: __, ...kept} = JSON.parse(readFileSync(join(made, `${id}.json`), 'utf8'))
    const other = proposals.add({...kept, serviceWords: `${service}/ the test service`})
    const {stdout} = await home.run(['requests', 'show', other, '-p', 'staging'])
    await home.remove()
    expect(stdout).toContain(service)
    expect(stdout).toContain('CLOSE credit account 2001 for good')
    expect(stdout).not.toContain('the test service')
  })

  it.each([
    ['for another service than its words say', {serviceWords: 'https://test.example/card'}],
    ['with words that are no address', {serviceWords: 'the test sandbox of Aino'}],
    ['with words of another path', {serviceWords: 'https://api.example/card/test'}],
    ['for the sandbox in its words alone', {serviceWords: 'the embedded sandbox'}],
    ['with a note that takes long to mask', {note: '4111 1111 1111 111'.repeat(500)}],
  ])('is none %s', (_, more) => {
    const {id, bytes} = encodeKept({...content, ...more})
    expect(decodeKept(id, bytes)).toBeUndefined()
  })

  it('masks what is read from it', () => {
    const pan = '4111 1111 1111 1111'
    const {id, bytes} = encodeKept({
      ...content,
      note: `for ${pan}`,
      ticket: pan,
      auditUser: pan,
      serviceWords: `${content.serviceWords} ${pan}`,
    })
    expect(JSON.stringify(decodeKept(id, bytes))).not.toContain('1111 1111')
  })
})

describe('only files that their owner alone made count', () => {
  const planted: Record<string, (file: string, other: string) => void> = {
    'a link': (file, other) => symlinkSync(other, file),
    'a second name of a file': (file, other) => linkSync(other, file),
    'a folder': file => mkdirSync(file),
    'a file that others can write': (file, other) => {
      renameSync(other, file)
      chmodSync(file, 0o660)
    },
  }
  it.each(Object.keys(planted))('%s is none', kind => {
    const {id, bytes} = encodeKept(content)
    const other = join(made, 'other')
    writeFileSync(other, bytes, {mode: 0o640})
    const file = join(made, `${id}.json`)
    planted[kind]?.(file, other)
    expect(() => proposals.get(id)).toThrow(file)
    rmSync(file, {recursive: true})
    writeFileSync(file, bytes, {mode: 0o640})
    expect(proposals.get(id).decision).toBeUndefined()
    const decision = join(made, `${id}.decision.json`)
    writeFileSync(other, JSON.stringify(at(NOON)), {mode: 0o640})
    planted[kind]?.(decision, other)
    expect(() => proposals.get(id)).toThrow(decision)
  })
})

it('is no flag of its own approval', async () => {
  const home = await openHome()
  const {code, stderr} = await home.run(['requests', 'approve', `p_${'0'.repeat(40)}`, '--propose'])
  await home.remove()
  expect([code, stderr]).toEqual([2, expect.stringContaining('--propose')])
})

describe('what is in the way of a decision', () => {
  const junk: Record<string, (file: string) => void> = {
    'a folder': file => mkdirSync(file),
    'a link': file => symlinkSync('/dev/zero', file),
    'a large file': file => writeFileSync(file, Buffer.alloc(1024 * 1024), {mode: 0o640}),
    'a file that others can write': file => {
      writeFileSync(file, '{}')
      chmodSync(file, 0o666)
    },
    'no decision': file => writeFileSync(file, 'x', {mode: 0o640}),
  }
  it.each(Object.keys(junk))('%s is named with its owner, who can remove it', kind => {
    const id = proposals.add(content)
    junk[kind]?.(join(made, `${id}.decision.json`))
    const failure = thrown(() => proposals.get(id))
    expect(failure.message).toMatch(/decision\.json .* It belongs to \S+ \(user id \d+\)\.$/)
    expect(String(failure.details.hint)).toMatch(/^Only \S+ or root can remove it\./)
  })

  function thrown(act: () => unknown): Failure {
    try {
      act()
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
    throw new Error('Nothing was thrown.')
  }
})
