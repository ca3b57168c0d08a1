import {randomBytes} from 'node:crypto'
import {isIPv6} from 'node:net'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {EventQueue, listening, type RunningServer, refuseExposed} from '../../../cli/serving/run-server.ts'
import {readServerAuth} from '../../../cli/serving/server-auth.ts'
import {readServerTls, writeCertificate} from '../../../cli/serving/server-tls.ts'
import {Failure} from '../../../errors/failure.ts'
import {processSurroundings, sortableIds} from '../../../journal/index.ts'
import {isLoopback} from '../../../sensitive/loopback.ts'
import {Secret} from '../../../sensitive/secret.ts'
import type {Inspector, InspectorOptions, WebhookEvent} from '../../../webhook/index.ts'
import type WebhookServe from '../serve.ts'
import {askInTerminal, canAskInTerminal} from './ask-in-terminal.ts'
import {chooseDeciders, type RulesEvent} from './deciders.ts'
import {openWebhookRecorder} from './recording.ts'

/** The page of a listener, and the link that opens it once the listener has its address. */
interface LinkedInspector extends Inspector {
  linkFor(url: string): string
}

const EVERYWHERE = ['0.0.0.0', '::']

/**
 * Makes the inspector page where `--inspect` asks for it.
 * @throws Failure USAGE where no browser of this machine could open it.
 */
function openInspector(
  create: (options: InspectorOptions) => Inspector,
  {host, inspect}: WebhookServerFlags,
  options: Omit<InspectorOptions, 'token' | 'session' | 'epoch'>,
): LinkedInspector | undefined {
  if (!inspect) return undefined
  if (!EVERYWHERE.includes(host) && !isLoopback(isIPv6(host) ? `[${host}]` : host)) {
    throw new Failure('USAGE', {
      message: `--inspect is for browsers on this machine, but --host ${host} doesn't listen there.`,
      hint: 'Leave out --host, or pass --host 0.0.0.0 to listen everywhere.',
    })
  }
  const random = () => randomBytes(32).toString('base64url')
  const token = new Secret(random())
  const inspector = create({
    ...options,
    token,
    session: new Secret(random()),
    epoch: randomBytes(6).toString('base64url'),
  })
  return {...inspector, linkFor: url => linkFor(url, token)}
}

/** Whoever listens everywhere is opened at the name that only this machine has. */
function linkFor(address: string, token: Secret): string {
  const url = new URL('/', address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  url.searchParams.set('token', token.open())
  return url.href
}

/** More places than these are told by the events alone. */
const MOST = 20

/**
 * Tells on stderr where calls differ from the contract, each place once: a service that has something in another way has it
 * so in every call.
 */
function differenceWarner({printer}: Context): (event: WebhookEvent) => void {
  const told = new Set<string>()
  return event => {
    if (!('differs' in event) || told.size >= MOST) return
    const fresh = (event.differs ?? []).filter(({pointer}) => !told.has(placeOf(pointer)))
    for (const {pointer} of fresh) told.add(placeOf(pointer))
    const words = fresh.map(({pointer, message}) => (pointer === '' ? message : `${message} (${pointer})`))
    if (words.length > 0)
      printer.warn(`A call differs from the contract and is accepted: ${words.join('; ')}.`)
  }
}

/** Items of a list are one place. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

type WebhookServerFlags = FlagValues<typeof WebhookServe.flags>

/** The first event: where the listener is, and how long it takes at most. */
interface ReadyEvent {
  readonly type: 'ready'
  readonly url: string
  readonly deadlineMs: number
  /** The file with the certificate that was made for this run, while it runs: what callers must trust. */
  readonly ca?: string
  /** Who decides, in the order they are asked. */
  readonly decides: readonly string[]
  /** A call that comes again is decided again. */
  readonly repeatMemory?: false
  /** A call that differs from the contract is refused. */
  readonly strict?: true
  /** Opens the inspector page, once. */
  readonly inspect?: string
}

type ServerEvent = ReadyEvent | WebhookEvent | RulesEvent

/** Timers run no longer than this is sensible for; a caller waits for seconds. */
const LONGEST_DEADLINE = 60_000

/** Puts the listener for the service's calls on a port. */
export async function startWebhookServer(
  context: Context,
  flags: WebhookServerFlags,
): Promise<RunningServer<ServerEvent>> {
  const {host, port, deadline: deadlineMs} = flags
  // Not the profile's setting: a listener belongs to no profile.
  const strict = context.strictGiven() ?? false
  if (deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE) {
    throw new Failure('USAGE', {message: '--deadline is from 1ms to 60s.'})
  }
  const asks = flags.auth !== undefined || flags['client-ca'] !== undefined
  refuseExposed(host, {guarded: asks || flags['i-know-this-is-exposed'] === true})
  const pathPrefix = parsePrefix(flags['path-prefix'] ?? '')
  const auth = await readServerAuth(flags.auth, context)
  const tls = await readServerTls(context, flags)
  const events = new EventQueue<ServerEvent>()
  const {now, atExit} = context.surroundings
  const newId = sortableIds({now, randomBytes})
  // Loads the webhook room only where it is needed.
  const webhook = await import('../../../webhook/index.ts')
  const {decider, order, pendingCalls} = await chooseDeciders(context, flags, event => events.push(event))
  const inspector = openInspector(webhook.createInspector, flags, {
    pathPrefix,
    deadlineMs,
    auth,
    pendingCalls,
  })
  const recorder = await openWebhookRecorder(context, flags)
  const warnOfDifferences = differenceWarner(context)
  const server = await listening(
    () =>
      webhook.serveWebhook({
        host,
        port,
        pathPrefix,
        deadlineMs,
        decider,
        remembers: flags['repeat-memory'],
        strict,
        recorder,
        auth,
        tls,
        now,
        newId: () => newId('e_'),
        ...(inspector && {page: inspector.page, onPending: inspector.onPending}),
        onExchange: exchange => {
          events.push(exchange.event)
          warnOfDifferences(exchange.event)
          inspector?.onExchange(exchange)
        },
      }),
    {host, port},
  ).catch(async (error: unknown) => {
    await recorder?.close()
    throw error
  })
  const {url} = server
  const file = tls?.made ? await writeCertificate(context, 'webhook', {cert: tls.cert, url}) : undefined
  recorder?.serving({url, ca: file?.path, process: processSurroundings(now), since: now()})
  const inspect = inspector?.linkFor(url)
  events.push({
    type: 'ready',
    url,
    deadlineMs,
    decides: order,
    ...(flags['repeat-memory'] ? {} : {repeatMemory: false}),
    ...(strict ? {strict} : {}),
    ...(file && {ca: file.path}),
    ...(inspect && {inspect}),
  })
  // A second signal doesn't wait for the server to close: no command that decides may be left behind.
  const forget = atExit(() => decider.close?.())
  const leaveTerminal =
    pendingCalls && canAskInTerminal(context) ? askInTerminal(context, pendingCalls) : undefined
  return {
    events,
    close: async () => {
      leaveTerminal?.()
      inspector?.close()
      await server.close()
      forget()
      await file?.remove()
    },
  }
}

function parsePrefix(text: string): string {
  const prefix = text.replace(/\/+$/, '')
  if (prefix === '' || /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(prefix)) return prefix
  throw new Failure('USAGE', {message: '--path-prefix takes a path such as /hooks/cards.'})
}
