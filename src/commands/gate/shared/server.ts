import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {Context} from '../../../cli/context.ts'
import {appendRefusal} from '../../../cli/record-changes.ts'
import {EventQueue, listening, type RunningServer} from '../../../cli/serving/run-server.ts'
import {Failure} from '../../../errors/failure.ts'
import {type GateCaller, policyPlace, socketOf} from '../../../policy/index.ts'
import {readReference} from '../../../profiles/index.ts'
import type {Secret} from '../../../sensitive/secret.ts'
import {bodyBudget, countedRefusals, lineBudget, refusalBudget} from './caller-limits.ts'
import {KeptDaySums} from './day-sums.ts'
import {KeptRefusals} from './kept-refusals.ts'
import {LateRecords} from './late-records.ts'
import {type CallerServer, listenFor} from './listen.ts'
import {
  type Answered,
  anew,
  answerCaller,
  mustWait,
  recordUnread,
  type Serving,
  senderFor,
} from './serve-caller.ts'
import {type Accounts, checkSocketFolder, freeSocket, openToGroup, systemAccounts} from './socket-folder.ts'
import type {RawRequest} from './strict-request.ts'

interface ServedCaller {
  readonly user: string
  readonly profile: string
  readonly at: string
  /** The journal that its proposals name, once the profile is in order. */
  readonly sender?: string
}

export interface GateReady {
  readonly type: 'ready'
  /** Whom it serves, and where. */
  readonly callers: readonly ServedCaller[]
}

export interface GateRequest {
  readonly type: 'request'
  /** ms since 1970 */
  readonly at: number
  readonly user: string
  readonly profile: string
  /** Of the contract; null for what is none. */
  readonly operation: string | null
  readonly status: number
  readonly durationMs: number
  /** Why it was not a success. */
  readonly why?: string
}

/** A caller whose port another program has. The server tries again, and says when it serves that caller. */
export interface GateUnserved {
  readonly type: 'unserved'
  readonly user: string
  readonly profile: string
  readonly at: string
  readonly why: string
}

/** Requests of a caller that have no line, because too many came in a minute. */
export interface GateOmitted {
  readonly type: 'omitted'
  readonly user: string
  readonly profile: string
  readonly count: number
}

export type GateEvent = GateReady | GateUnserved | GateRequest | GateOmitted

/** How long requests in progress have at the end, ms. */
const DRAIN_MS = 10_000
/** How often to try a port that another program has. */
const TRY_AGAIN_MS = 5_000
/** @throws Failure CONFIG_UNREADABLE, INPUT_INVALID, PORT_UNAVAILABLE, SECRET_MISSING, STORE_DAMAGED */
export async function startGate(
  context: Context,
  accountsOf: () => Accounts = systemAccounts,
): Promise<RunningServer<GateEvent>> {
  const {folder, callers} = await servedCallers(context)
  const {data} = context.folders
  mkdirSync(data, {recursive: true, mode: 0o700})
  const daySums = new KeptDaySums(join(data, 'day-sums.db'), () => context.surroundings.now())
  const ending = new AbortController()
  const stopping = new AbortController()
  const events = new EventQueue<GateEvent>()
  const lateRecords = new LateRecords(new KeptRefusals(join(data, 'unrecorded-refusals')), words =>
    appendRefusal(anew(context), 'gate serve', new Failure('GATE_REFUSED', {message: words})),
  )
  const {surroundings, flags, version} = context
  const serving: Serving = {
    context: new Context({...surroundings, lateRecords}, flags, version),
    ...{daySums, lateRecords, signal: ending.signal},
  }
  const servers: CallerServer[] = []
  const waiting: Promise<void>[] = []
  const close = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(waiting)
    const hurry = setTimeout(() => ending.abort('SIGTERM'), DRAIN_MS)
    await Promise.all(servers.map(server => server.close()))
    clearTimeout(hurry)
    await lateRecords.end()
    daySums[Symbol.dispose]()
  }
  try {
    const places: ServedCaller[] = []
    for (const caller of callers) {
      const {user, profile} = caller
      const at = caller.port ?? socketOf(folder, caller)
      const sender = await senderFor(serving, caller)
      const place = {
        ...{user, profile, at: typeof at === 'number' ? `127.0.0.1:${at}` : at},
        ...(sender === undefined ? {} : {sender}),
      }
      const open = () => openFor(serving, caller, {at, accountsOf, events})
      try {
        servers.push(await open())
        places.push(place)
      } catch (error) {
        // Who takes a port of one caller stops no other.
        if (!isTaken(error) || typeof at !== 'number') throw error
        events.push({type: 'unserved', user, profile, at: place.at, why: error.message})
        waiting.push(
          openLater(context, stopping.signal, open).then(server => {
            if (server === undefined) return
            servers.push(server)
            events.push({type: 'ready', callers: [place]})
          }),
        )
      }
    }
    // What an earlier server could not record.
    await lateRecords.settle()
    events.push({type: 'ready', callers: places})
  } catch (error) {
    await close()
    throw error
  }
  return {events, close}
}

const isTaken = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'PORT_UNAVAILABLE'

/** Undefined once the server stops. */
async function openLater(
  {surroundings}: Context,
  stopping: AbortSignal,
  open: () => Promise<CallerServer>,
): Promise<CallerServer | undefined> {
  while (!stopping.aborted) {
    await surroundings.sleep(TRY_AGAIN_MS, stopping).catch(() => undefined)
    if (stopping.aborted) return undefined
    try {
      return await open()
    } catch {
      // It was said that this caller is not served.
    }
  }
  return undefined
}

/** @throws Failure without a policy that names callers */
async function servedCallers(context: Context): Promise<{folder: string; callers: readonly GateCaller[]}> {
  const found = await context.policy
  const place = context.surroundings.policyPlace ?? policyPlace()
  if (found !== undefined && 'problem' in found)
    throw new Failure('CONFIG_UNREADABLE', {message: found.problem, effect: 'none'})
  if (found?.policy.gate === undefined)
    throw new Failure('CONFIG_UNREADABLE', {
      message:
        found === undefined
          ? `There is no policy in ${place.folder}, so nobody is served.`
          : `${found.policy.path} names no callers.`,
      hint: 'See docs/gate.md.',
      effect: 'none',
    })
  return found.policy.gate
}

async function openFor(
  serving: Serving,
  caller: GateCaller,
  {
    at,
    accountsOf,
    events,
  }: {
    readonly at: string | number
    readonly accountsOf: () => Accounts
    readonly events: EventQueue<GateEvent>
  },
): Promise<CallerServer> {
  const {user, token: file} = caller
  const {surroundings} = serving.context
  if (typeof at === 'string') {
    checkSocketFolder(at, user, process.geteuid?.() ?? -1, accountsOf())
    await freeSocket(at)
  }
  const token = file === undefined ? undefined : () => tokenOf(user, file, surroundings)
  await token?.()
  const {answer, refused, end} = limited(serving, caller, events)
  const listener = await listening(() => listenFor({at, token, answer, refused}), {
    host: typeof at === 'string' ? at : '127.0.0.1',
    port: typeof at === 'string' ? 0 : at,
  })
  const server: CallerServer = {close: () => listener.close().finally(end)}
  if (typeof at !== 'string') return server
  try {
    openToGroup(at)
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

/** As hexadecimal digits, what 128 random bits have. */
const SHORTEST_TOKEN = 32

/** Anyone who reads or guesses it can act as the caller. @throws Failure INPUT_INVALID */
async function tokenOf(user: string, file: string, surroundings: Context['surroundings']): Promise<Secret> {
  const unusable = (why: string) =>
    new Failure('INPUT_INVALID', {
      message: `The token of ${user} is not used: ${why}`,
      hint: 'Write 32 or more random characters to the file, which only the server may read.',
      effect: 'none',
    })
  const notify = ({message}: {message: string}): never => {
    throw unusable(message)
  }
  const token = await readReference(`file:${file}`, `the token of ${user}`, {...surroundings, notify})
  if (token.open().length < SHORTEST_TOKEN)
    throw unusable(`${file} has fewer than ${SHORTEST_TOKEN} characters.`)
  return token
}

/** Answers and logs; a caller that is refused again and again, or sends too much, waits. */
function limited(serving: Serving, caller: GateCaller, events: EventQueue<GateEvent>) {
  const {user, profile} = caller
  const {surroundings} = serving.context
  const waitFor = bodyBudget()
  const refusals = refusalBudget()
  const lines = lineBudget(count => events.push({type: 'omitted', user, profile, count}))
  const recording = new Set<Promise<void>>()
  const unread = (['caller', 'stranger'] as const).map(who =>
    countedRefusals((why, count) => {
      const recorded = recordUnread(serving, caller, {why, count, isCaller: who === 'caller'})
      recording.add(recorded)
      void recorded.finally(() => recording.delete(recorded))
    }),
  )
  const refused = (why: string, isCaller: boolean): void => unread[isCaller ? 0 : 1]?.add(why)
  const waits = (seconds: number, why: typeof REFUSED_OFTEN): Answered => {
    refused(why.title, true)
    return {reply: mustWait(seconds, why), operation: null}
  }
  const answer = (raw: RawRequest): Answered | Promise<Answered> => {
    const wait = refusals.seconds()
    if (wait > 0) return waits(wait, REFUSED_OFTEN)
    const seconds = waitFor(raw.body.length)
    return seconds > 0 ? waits(seconds, SENT_MUCH) : answerCaller(serving, caller, raw)
  }
  const logged = async (raw: RawRequest) => {
    const at = surroundings.now()
    const {reply, operation, waits: waiting} = await answer(raw)
    const {status, why, isRefusal} = reply
    if (waiting !== undefined) refused(waiting, true)
    if (isRefusal) refusals.add()
    const durationMs = Math.max(0, surroundings.now() - at)
    if (lines.isLeft())
      events.push({type: 'request', at, user, profile, operation, status, durationMs, ...(why && {why})})
    return reply
  }
  const end = async (): Promise<void> => {
    lines.end()
    for (const each of unread) each.end()
    await Promise.all(recording)
  }
  return {answer: logged, refused, end}
}

const REFUSED_OFTEN = {
  title: 'Too many refusals',
  detail: 'Requests of this caller were refused too often.',
}
const SENT_MUCH = {
  title: 'Too much at once',
  detail:
    'This caller has sent more than the server reads for one at once. Nothing of this request was sent.',
}
