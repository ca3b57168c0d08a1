import {chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {encodeKept, type KeptRequest} from '../../../src/cli/proposal-content.ts'
import {fingerprintOf, signFor} from '../../../src/commands/data/shared/machine-key.ts'
import {type Gate, openGate} from '../../helpers/gate.ts'

/** Users of every Linux. */
const BO = 1
const AINO = 2
const OTHER = 3
const NAMES = {1: 'daemon', 3: 'sys'} as const

const RULES = {person: {read: 'allow', write: 'allow', destroy: {approvedBy: ['daemon']}}}

const close: KeptRequest = {
  operation: 'accounts.patchCredit.v4',
  input: {path: {id: '2001'}, query: {}, body: {status: 'ACCOUNT_TO_CLOSE'}},
  key: 'key-of-the-proposal',
}
const remove: KeptRequest = {
  operation: 'pricelists.delete.v1',
  input: {path: {id: '5002'}, query: {}},
}

// Only root can make files of others.
describe.skipIf(process.getuid?.() !== 0)('an approved proposal', () => {
  let gate: Gate
  let folder = ''
  /** Of the gate, as it tells its callers. */
  let journal = ''
  let before = 0
  const sent = () =>
    gate.service.requests
      .slice(before)
      .flatMap(({method, url}) => (method === 'GET' ? [] : `${method} ${url.split('?')[0]}`))

  beforeAll(async () => {
    gate = await openGate(RULES, {
      [NAMES[BO]]: 'person',
      [NAMES[OTHER]]: 'person',
    })
    folder = join(await mkdtemp(join(tmpdir(), 'approvals-')), 'proposals')
    await mkdir(folder)
    await chmod(folder, 0o3770)
    await writeFile(join(folder, 'members'), [0, BO, AINO, OTHER].join('\n'), {mode: 0o644})
    await gate.home.json(['profiles', 'edit', 'prod', '--proposals', folder])
    journal = String((await gate.ask(NAMES[BO], 'GET', '/_gate/journal')).body.sender)
  })
  afterAll(async () => {
    await gate.close()
    await rm(folder, {recursive: true})
  })
  beforeEach(() => {
    before = gate.service.requests.length
  })

  async function place(name: string, content: string | Uint8Array, owner: number): Promise<void> {
    const path = join(folder, name)
    await writeFile(path, content, {mode: 0o640})
    await chown(path, owner, 0)
  }

  async function proposed(
    requests: readonly KeptRequest[],
    {
      by = AINO,
      decidedBy = BO,
      decision = 'approved',
      at = Date.now(),
      of = NAMES[BO],
      sender = journal,
      again,
    }: {
      by?: number
      decidedBy?: number
      decision?: string
      at?: number
      of?: string
      sender?: string | undefined
      again?: boolean
    } = {},
  ): Promise<string> {
    const address = new URL(gate.places[of]?.url ?? 'http://127.0.0.1:9').host
    const {id, bytes} = encodeKept({
      ...{at: new Date(at).toISOString(), expiresAt: new Date(at + 3_600_000).toISOString()},
      ...{auditUser: 'Aino', serviceWords: `http://${address}`, requests},
      service: JSON.stringify({address, groups: {}}),
      sender,
      ...(again === undefined
        ? {}
        : {transfers: {again, rest: false, batches: requests.map(({key = ''}) => ({key}))}}),
    })
    await place(`${id}.json`, bytes, by)
    const verdict = {decision, at: new Date().toISOString(), auditUser: 'Bo'}
    if (decision !== '') await place(`${id}.decision.json`, JSON.stringify(verdict), decidedBy)
    return id
  }

  const send = ({key, input}: KeptRequest, proposal: string | undefined, user: string = NAMES[BO]) =>
    gate.ask(
      user,
      key === undefined ? 'DELETE' : 'PATCH',
      key === undefined ? '/v1/pricelist/5002' : '/v4/CREDIT/2001',
      {
        ...(input.body === undefined ? {} : {body: input.body}),
        headers: {
          ...(key === undefined ? {} : {'x-idempotency-key': key}),
          ...(proposal === undefined ? {} : {'x-cardctl-proposal': proposal}),
        },
      },
    )

  it('is sent by who approved it, and once', async () => {
    expect(await send(close, undefined)).toMatchObject({status: 403})
    const id = await proposed([close])
    expect(await send(close, id)).toMatchObject({status: 200})
    const list = await proposed([remove])
    expect(await send(remove, list)).toMatchObject({status: 200})
    expect(await send(remove, list)).toMatchObject({status: 409})
    expect(sent()).toEqual(['PATCH /v4/CREDIT/2001', 'DELETE /v1/pricelist/5002'])
    const entries = await gate.home.json<{proposal?: string; osUser: string}[]>(['audit', 'list'])
    expect(entries.some(({osUser}) => osUser === NAMES[BO])).toBe(true)
  })

  it.each<[why: string, given: Parameters<typeof proposed>[1], request: KeptRequest, said: RegExp]>([
    ['nobody has decided about', {decision: ''}, close, /is not approved/],
    ['was rejected', {decision: 'rejected'}, close, /is not approved/],
    ['its maker approved', {by: BO}, close, /cannot approve their own/],
    ['another user approved', {decidedBy: OTHER}, close, /approved by sys, and not by daemon/],
    ['somebody approved who is no member', {decidedBy: 64_999}, close, /is not in/],
    ['has expired', {at: Date.now() - 7_200_000}, close, /has expired/],
    ['is for another service', {of: 'nobody'}, close, /is for another service/],
    ['has another key', {}, {...close, key: 'other'}, /has other requests/],
    [
      'has another content',
      {},
      {...close, input: {...close.input, body: {status: 'ACCOUNT_TO_CLOSE', creditLimit: 1}}},
      /has other requests/,
    ],
    ['has another path', {}, remove, /has other requests/],
  ])('that %s does not count', async (_, given, request, said) => {
    const {status, body} = await send(request, await proposed([close], given))
    expect({status, detail: body.detail}).toEqual({status: 403, detail: expect.stringMatching(said)})
    expect(sent()).toEqual([])
  })

  it('is read only with a decision of its caller, and up to a size', async () => {
    const huge = Buffer.alloc(4 * 1024 * 1024 + 1, ' ')
    const id = `p_${'a'.repeat(40)}`
    await place(`${id}.json`, huge, AINO)
    expect((await send(close, id)).body.detail).toMatch(/is not approved/)
    const verdict = {decision: 'approved', at: new Date().toISOString(), auditUser: 'Bo'}
    await place(`${id}.decision.json`, JSON.stringify(verdict), BO)
    expect((await send(close, id)).body.detail).toMatch(/is far too large/)
    expect(sent()).toEqual([])
  })

  it('whose decision is none names the owner of that file', async () => {
    const id = await proposed([close], {decision: ''})
    await place(`${id}.decision.json`, 'x', OTHER)
    expect((await send(close, id)).body.detail).toMatch(/no decision\..* It belongs to sys \(user id 3\)/)
    expect(sent()).toEqual([])
  })

  it('is signed, where the policy names the key of who approves', async () => {
    const keep = gate.home.folder
    const {publicKey} = signFor(keep, ['x'])
    const callers = [
      {
        user: NAMES[BO],
        kind: 'person',
        profile: 'prod',
        auditUser: `${NAMES[BO]} of the team`,
        ...gate.at(NAMES[BO]),
      },
    ]
    gate.setPolicy(RULES, callers, {keys: {[NAMES[BO]]: fingerprintOf(publicKey)}})
    const signed = (id: string, given: Record<string, string> = {}) => {
      const at = new Date().toISOString()
      const facts = {id, decision: 'approved', at, auditUser: 'Bo', user: NAMES[BO], ...given}
      const signature = signFor(keep, [
        'approval',
        facts.id,
        facts.decision,
        facts.at,
        facts.auditUser,
        facts.user,
      ])
      return {decision: 'approved', at, auditUser: 'Bo', signature}
    }
    const other = {...close, key: 'another-key'}
    for (const [verdict, status] of [
      [(id: string) => ({...signed(id), signature: undefined}), 403],
      [() => signed(`p_${'1'.repeat(40)}`), 403],
      [(id: string) => signed(id, {user: 'sys'}), 403],
      [(id: string) => signed(id, {decision: 'rejected'}), 403],
      [(id: string) => signed(id), 200],
    ] as const) {
      const id = await proposed([other], {decision: ''})
      await place(`${id}.decision.json`, JSON.stringify(verdict(id)), BO)
      const {status: found, body} = await send(other, id)
      expect(found).toBe(status)
      if (status === 403) expect(body.detail).toMatch(/not signed with the key/)
    }
    // The proposal, which may be large, isn't even looked for.
    const none = `p_${'2'.repeat(40)}`
    await place(`${none}.decision.json`, JSON.stringify(signed(`p_${'1'.repeat(40)}`)), BO)
    expect((await send(other, none)).body.detail).toMatch(/not signed with the key/)
    gate.setPolicy(RULES)
  })

  const restart = async () => {
    await gate.stop()
    await gate.start()
  }

  it('is sent by who proposed it, with a signature from another machine', async () => {
    const keep = gate.home.folder
    const {publicKey} = signFor(keep, ['x'])
    const keys = {[NAMES[BO]]: fingerprintOf(publicKey)}
    const signed = (id: string, user: string = NAMES[BO]) => {
      const verdict = {decision: 'approved', at: new Date().toISOString(), auditUser: user}
      const facts = ['approval', id, verdict.decision, verdict.at, user, user]
      return {...verdict, signedBy: user, signature: signFor(keep, facts)}
    }
    const own = {user: NAMES[OTHER], kind: 'person', profile: 'prod', ...gate.at(NAMES[OTHER])}
    const callers = [
      {...own, auditUser: `${own.user} of the team`},
      {...own, user: NAMES[BO], ...gate.at(NAMES[BO]), auditUser: `${NAMES[BO]} of the team`},
    ]
    const agents = callers.map(one => ({...one, kind: 'agent'}))
    const rules = {...RULES, agent: {read: 'allow', destroy: {approvedBy: [NAMES[BO]]}}}
    const other = {...close, key: 'key-from-elsewhere'}
    for (const [verdict, named, status, who = callers] of [
      [(id: string) => ({...signed(id), signedBy: undefined}), keys, 403],
      [(id: string) => ({...signed(id), signature: undefined}), keys, 403],
      [(id: string) => ({...signed(id), at: new Date(0).toISOString()}), keys, 403],
      [() => signed(`p_${'1'.repeat(40)}`), keys, 403],
      [(id: string) => signed(id), {}, 403],
      [(id: string) => signed(id, NAMES[OTHER]), {...keys, [NAMES[OTHER]]: fingerprintOf(publicKey)}, 403],
      [(id: string) => signed(id, 'mail'), {...keys, mail: fingerprintOf(publicKey)}, 403],
      [(id: string) => signed(id), keys, 200, agents],
    ] as const) {
      gate.setPolicy(rules, who, {keys: named})
      if (who === agents) await restart()
      const id = await proposed([other], {decision: '', by: OTHER, of: NAMES[OTHER]})
      await place(`${id}.decision.json`, JSON.stringify(verdict(id)), OTHER)
      const {status: found, body} = await send(other, id, NAMES[OTHER])
      expect({found, why: body.detail}).toMatchObject({found: status})
    }
    // What replays with its key had its effect once.
    expect(new Set(sent())).toEqual(new Set(['PATCH /v4/CREDIT/2001']))
    gate.setPolicy(RULES)
  })

  it('is also sent so by an agent, with the checks of transfers', async () => {
    const {publicKey} = signFor(gate.home.folder, ['x'])
    const user = NAMES[OTHER]
    const agent = {user, kind: 'agent', profile: 'prod', auditUser: `${user} of the team`, ...gate.at(user)}
    const write = {approvedBy: [NAMES[BO]]}
    const sums = {EUR: {request: 20, day: 30}}
    const keys = {[NAMES[BO]]: fingerprintOf(publicKey)}
    const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'EUR'}]
    const batch: KeptRequest = {
      operation: 'a2a.create.v1',
      input: {path: {}, query: {}, body: {transfers}},
      key: 'key-of-transfers',
    }
    gate.setPolicy({agent: {read: 'allow', write, sums}}, [agent], {keys})
    await restart()
    const id = await proposed([batch], {decision: '', by: OTHER, of: NAMES[OTHER]})
    const ask = () =>
      gate.ask(user, 'POST', '/v1/a2a/batches', {
        body: {transfers},
        headers: {'x-idempotency-key': batch.key ?? '', 'x-cardctl-proposal': id},
      })
    expect((await ask()).body.detail).toMatch(/is not approved/)
    const verdict = {decision: 'approved', at: new Date().toISOString(), auditUser: NAMES[BO]}
    const facts = ['approval', id, verdict.decision, verdict.at, NAMES[BO], NAMES[BO]]
    const signature = signFor(gate.home.folder, facts)
    const decision = {...verdict, signedBy: NAMES[BO], signature}
    await place(`${id}.decision.json`, JSON.stringify(decision), OTHER)
    expect(await ask()).toMatchObject({status: 200})
    await ask()
    expect(sent()).toEqual(['POST /v1/a2a/batches'])
    // The same transfers in another proposal, signed too.
    const again = {...batch, key: 'another-key-of-transfers'}
    const next = await proposed([again], {decision: '', by: OTHER, of: NAMES[OTHER]})
    const signedAgain = signFor(gate.home.folder, ['approval', next, ...facts.slice(2)])
    await place(`${next}.decision.json`, JSON.stringify({...decision, signature: signedAgain}), OTHER)
    const repeated = await gate.ask(user, 'POST', '/v1/a2a/batches', {
      body: {transfers},
      headers: {'x-idempotency-key': again.key, 'x-cardctl-proposal': next},
    })
    expect(repeated).toMatchObject({
      status: 409,
      body: {detail: expect.stringMatching(/transfers were sent/)},
    })
    expect(sent()).toEqual(['POST /v1/a2a/batches'])
    gate.setPolicy(RULES)
    await restart()
  })

  it('is the way to send transfers again, if a person approves it', async () => {
    const user = NAMES[BO]
    const rules = {read: 'allow', write: 'allow', sums: {EUR: {request: 20, day: 100}}}
    const caller = {user, profile: 'prod', auditUser: `${user} of the team`, ...gate.at(user)}
    const serve = async (kind: string) => {
      gate.setPolicy({[kind]: rules}, [{...caller, kind}])
      await restart()
    }
    const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 3.5, currency: 'EUR'}]
    const ask = (headers = {}) => gate.ask(user, 'POST', '/v1/a2a/batches', {body: {transfers}, headers})
    const proposing = async (key: string, again: boolean) => {
      const input = {path: {}, query: {}, body: {transfers}}
      const id = await proposed([{operation: 'a2a.create.v1', input, key}], {again})
      return () => ask({'x-idempotency-key': key, 'x-cardctl-proposal': id})
    }
    await serve('person')
    expect(await ask()).toMatchObject({status: 200})
    expect(await ask()).toMatchObject({
      status: 409,
      body: {detail: expect.stringMatching(/propose it with --again, and let a person approve it\.$/)},
    })
    expect(await (await proposing('without', false))()).toMatchObject({status: 409})
    const approved = await proposing('again', true)
    await serve('job')
    expect(await approved()).toMatchObject({status: 409})
    await serve('person')
    expect(await approved()).toMatchObject({status: 200})
    expect(await approved()).toMatchObject({status: 409})
    expect(sent()).toEqual(Array(2).fill('POST /v1/a2a/batches'))
    gate.setPolicy(RULES)
    await restart()
  })

  /** Signed on another machine by bo, and brought by another user. */
  async function signed(id: string, by: number): Promise<void> {
    const user = NAMES[BO]
    const verdict = {decision: 'approved', at: new Date().toISOString(), auditUser: user}
    const signature = signFor(gate.home.folder, ['approval', id, verdict.decision, verdict.at, user, user])
    await rm(join(folder, `${id}.decision.json`), {force: true})
    await place(`${id}.decision.json`, JSON.stringify({...verdict, signedBy: user, signature}), by)
  }

  it('is spent at one server, whoever brings it, and not at one that begins anew', async () => {
    const keys = {[NAMES[BO]]: fingerprintOf(signFor(gate.home.folder, ['x']).publicKey)}
    gate.setPolicy(RULES, undefined, {keys})
    const once = {...close, key: 'key-that-is-spent'}
    const id = await proposed([once], {decision: '', by: AINO})
    await signed(id, OTHER)
    expect(await send(once, id, NAMES[OTHER])).toMatchObject({status: 200})
    await signed(id, BO)
    await send(once, id, NAMES[BO])
    // The service replays what it knows by its key.
    expect(
      new Set(gate.service.requests.slice(before).map(({headers}) => headers['x-idempotency-key'])).size,
    ).toBe(1)
    const next = {...close, key: 'key-of-another-server'}
    const elsewhere = await proposed([next], {decision: '', by: AINO, sender: 'a'.repeat(32)})
    await signed(elsewhere, OTHER)
    const refused = {status: 403, body: {detail: expect.stringMatching(/only from the journal a+,/)}}
    expect(await send(next, elsewhere, NAMES[OTHER])).toMatchObject(refused)
    const late = await proposed([next], {decision: '', by: AINO})
    await signed(late, OTHER)
    await gate.stop()
    const data = join(gate.home.folder, '.local/share/cardctl')
    for (const name of await readdir(data)) await rm(join(data, name), {recursive: true})
    await gate.start()
    before = gate.service.requests.length
    const {body} = await gate.ask(NAMES[BO], 'GET', '/_gate/journal')
    expect(body.sender).not.toBe(journal)
    journal = String(body.sender)
    expect(await send(next, late, NAMES[OTHER])).toMatchObject({status: 403})
    expect(sent()).toEqual([])
    gate.setPolicy(RULES)
  })

  it('does not count for another user, nor under a name that is no id', async () => {
    const id = await proposed([close])
    expect((await send(close, id, NAMES[OTHER])).status).toBe(403)
    expect((await send(close, '../proposals/x')).status).toBe(403)
    expect((await send(close, `p_${'0'.repeat(40)}`)).status).toBe(403)
    expect(sent()).toEqual([])
  })
})
