// A service as it is: each answer of the list bent in each way, against what the command should make of it.
import {cp, mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, describe, expect, test} from 'vitest'
import {findOperation} from '../../src/contract/match.ts'
import {honoursKey, type Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {type Deviation, deviations, type WireReply} from '../helpers/deviations.ts'
import {openService} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'
import {operationCalls} from './operation-calls.ts'

/** One of each kind: a read, a list, pages by cursor, disclosures, writes with a key and without, and what destroys. */
const KINDS: readonly OperationId[] = [
  'cards.get.v4',
  'cards.listByCustomer.v4',
  'cards.controlToken.v4',
  'accounts.patchCredit.v4',
  'pricelists.deletePeriod.v1',
  'a2a.create.v1',
  'a2a.list.v1',
  'a2a.get.v1',
  'wallets.provisionA.v1',
  'remotecheckout.enrollCard.v1',
  'remotecheckout.status.v1',
]
/** BENT=all takes every operation of the outline, which takes minutes. */
const isAll = process.env.BENT === 'all'
const ids = isAll ? (Object.keys(operationCalls) as OperationId[]) : KINDS

const PROFILE = {env: {CARDCTL_PROFILE: 'bent'}}

const operationOf = (method: string, url: string): OperationId | undefined =>
  findOperation(method, url.split('?')[0] ?? '')?.operation.id as OperationId | undefined

const addProfile = (home: Home, url: string): Promise<unknown> =>
  home.json(['profiles', 'add', 'bent', '--kind', 'sandbox', '--base-url', url])

/** An operation's command line, and what the service usually answers. */
interface Prepared {
  readonly argv: readonly string[]
  readonly options: RunOptions
  readonly usual: WireReply
  /** Holds the files that the command line names. */
  readonly home: Home
}

async function prepare(id: OperationId): Promise<Prepared> {
  let usual: WireReply | undefined
  const service = await openService(undefined, (own, {method, url}) => {
    if (operationOf(method, url) === id) usual = {...own, text: Buffer.from(own.body).toString()}
    return own
  })
  const home = await openHome()
  await addProfile(home, service.url)
  const atService: Home = {
    ...home,
    run: (argv, options) => home.run(argv, {...options, ...PROFILE}),
    json: (argv, options) => home.json(argv, {...options, ...PROFILE}),
  }
  const {argv, stdin} = (await operationCalls[id]?.(atService)) ?? {argv: []}
  const options = {...PROFILE, ...(stdin === undefined ? {} : {stdin})}
  const {code, stderr} = await home.run([...argv, '-o', 'json'], options)
  await service.close()
  if (code !== 0 || usual === undefined) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
  return {argv, options, usual, home}
}

const prepared = new Map<OperationId, Prepared>()
for (const id of ids) prepared.set(id, await prepare(id))
const preparedFor = (id: OperationId): Prepared => {
  const found = prepared.get(id)
  if (found === undefined) throw new Error(`${id} was not prepared`)
  return found
}

/** What the service says to the operation under test. */
let bent: {readonly id: OperationId; readonly reply: WireReply} | undefined
let times = 0
const service = await openService(({method, url}) => {
  if (bent === undefined || operationOf(method, url) !== bent.id) return undefined
  times++
  const {'content-length': _, ...headers} = bent.reply.headers
  return {status: bent.reply.status, headers, body: Buffer.from(bent.reply.text)}
})
const template = await openHome()
await addProfile(template, service.url)
await template.json(
  ['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', '--bid', 'ISSUER-1'],
  PROFILE,
)
await template.json(['sandbox', 'clock', 'advance', '1m'], PROFILE)

afterAll(async () => {
  await service.close()
  for (const {home} of prepared.values()) await home.remove()
  await template.remove()
})

/** In a home that has sent nothing yet. */
async function run(id: OperationId, deviation: Deviation, ...flags: string[]) {
  const {argv, options} = preparedFor(id)
  const home = await openHome()
  try {
    const config = join('.config', 'cardctl')
    await mkdir(join(home.folder, config), {recursive: true})
    await cp(join(template.folder, config), join(home.folder, config), {recursive: true})
    bent = {id, reply: bend(id, deviation)}
    times = 0
    const result = await home.run([...argv, ...flags], options)
    const sent = times
    // Reads leave none.
    if (operations[id].effect === 'read') return {...result, times: sent, state: undefined}
    const [entry] = await home.json<{state: string}[]>(['requests', 'list'], PROFILE)
    return {...result, times: sent, state: entry?.state}
  } finally {
    bent = undefined
    await home.remove()
  }
}

const bend = (id: OperationId, deviation: Deviation): WireReply => deviation.bend(preparedFor(id).usual)

const differs = (id: OperationId) => (deviation: Deviation) =>
  JSON.stringify(bend(id, deviation)) !== JSON.stringify(preparedFor(id).usual)

/** Every text, number and boolean of a JSON value. */
function leavesOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [String(value)]
  return Object.values(value).flatMap(leavesOf)
}

describe.each(part(ids, 2))('%s, when', id => {
  const {effect, needs = [], sensitive, answers} = operations[id] as Operation
  const keyed = honoursKey(operations[id], {idempotency: 'documented'})
  const isSecret = sensitive.reply.length > 0

  const applicable = part(deviations.filter(differs(id)), 3, ids.indexOf(id))
  const changes = effect === 'write' || effect === 'destroy'
  const isTaken = ({wanted, isOther}: Deviation) =>
    (wanted === 'taken' && !(isOther && answers)) || (wanted === 'shown' && !changes)
  const isAccepted = ({wanted}: Deviation) => wanted === 'shown' && changes
  const isList = preparedFor(id).usual.text.startsWith('[')
  const isDone = ({wanted, name}: Deviation) =>
    wanted === 'empty' && (isList ? name.endsWith('204') : effect !== 'read' && needs.length === 0)
  const isUnproven = (one: Deviation) => !isTaken(one) && !isDone(one) && !isAccepted(one)

  test.each(applicable.filter(isTaken))('$name: is done, and shows what came', async deviation => {
    const {code, stdout, stderr, times, state} = await run(id, deviation, '-o', 'json')
    expect({code, times, state}, stderr).toEqual({
      code: 0,
      times: 1,
      ...(effect === 'read' ? {} : {state: 'done'}),
    })
    const {text} = bend(id, deviation)
    const body = text === '' ? null : JSON.parse(text.replace(/^\ufeff/, ''))
    // Of a page, its items are shown.
    const came = leavesOf(body?.items ?? body)
    const shown = new Set(leavesOf(JSON.parse(stdout === '' ? 'null' : stdout)))
    if (!isSecret) expect(came.filter(leaf => !shown.has(leaf))).toEqual([])
    if (!isAll && applicable.indexOf(deviation) % 6 !== 0) return
    // The form for people copes with it too, and stands there before --strict ends the command.
    const strict = await run(id, deviation, '--strict')
    expect(strict.stdout).not.toBe('')
    expect(strict.code).toBe(stderr.includes('from the contract') ? 8 : 0)
  })

  test.each(applicable.filter(isDone))('$name: is done', async deviation => {
    const {code, stdout, stderr, times, state} = await run(id, deviation, '-o', 'json')
    expect({code, times}, stderr).toEqual({code: 0, times: 1})
    if (isList) expect(JSON.parse(stdout)).toEqual([])
    else expect(state).toBe('done')
  })

  test.each(applicable.filter(isAccepted))(
    '$name: is not known to be done, and is named',
    async deviation => {
      const {code, stdout, stderr, times, state} = await run(id, deviation, '-o', 'json')
      // The service would say the same again.
      expect({code, times, state}, stderr).toEqual({code: 10, times: 1, state: 'unknown'})
      const {text} = bend(id, deviation)
      const made: unknown = text === '' ? undefined : JSON.parse(text).id
      if (made !== undefined)
        expect({stdout, stderr}).toMatchObject({
          stdout: expect.stringContaining(`${made}`),
          stderr: expect.stringContaining(`It names id ${made}`),
        })
    },
  )

  test.each(applicable.filter(isUnproven))('$name: proves nothing', async deviation => {
    const {code, stdout, stderr, times, state} = await run(id, deviation, '-o', 'json')
    if (effect === 'read') {
      expect({code, times}, stderr).toEqual({code: 8, times: 1})
      return
    }
    expect(code, stderr).toBe(10)
    expect(times > 1, `sent ${times} times`).toBe(keyed)
    expect(state).toBe('unknown')
    const {text} = bend(id, deviation)
    if (text.startsWith('{"e')) expect(JSON.parse(stdout)).toEqual(JSON.parse(text))
  })
})
