import {randomBytes} from 'node:crypto'
import {credentialsOfCallers} from '../../../cli/call-credentials.ts'
import type {Context} from '../../../cli/context.ts'
import {serviceHostProblem} from '../../../cli/service-host.ts'
import {EventQueue, listening, type RunningServer, refuseExposed} from '../../../cli/serving/run-server.ts'
import {readServerTls, writeCertificate} from '../../../cli/serving/server-tls.ts'
import {sortableIds} from '../../../clock/sortable-ids.ts'
import {Failure} from '../../../errors/failure.ts'
import {processSurroundings} from '../../../journal/index.ts'
import {authHeader} from '../../../network/call-credentials.ts'
import type {WebhookEvent} from '../../../webhook/index.ts'
import * as webhook from '../../../webhook/index.ts'
import {askInTerminal, canAskInTerminal} from './ask-in-terminal.ts'
import {chooseDeciders} from './deciders.ts'
import {translatorOf} from './dialect.ts'
import {type LinkedInspector, openInspector} from './inspector.ts'
import {openWebhookRecorder, recordingFileOf} from './recording.ts'
import type {WebhookServerFlags} from './serve-flags.ts'
import type {ReadyEvent, RulesEvent, RulesUsedEvent} from './serve-view.ts'

/** Maximum number of places in warnings; further ones are only in the events. */
const MOST = 20

/**
 * Warns on stderr where calls differ from the contract, once per place: a service usually repeats a difference in every
 * call.
 */
function differenceWarner({printer}: Context): (event: WebhookEvent) => void {
  const reported = new Set<string>()
  return event => {
    if (!('differs' in event) || reported.size >= MOST) return
    const fresh = (event.differs ?? []).filter(({pointer}) => !reported.has(placeOf(pointer)))
    for (const {pointer} of fresh) reported.add(placeOf(pointer))
    const words = fresh.map(({pointer, message}) => (pointer === '' ? message : `${message} (${pointer})`))
    if (words.length > 0)
      printer.warn(`A call differs from the contract and is accepted: ${words.join('; ')}.`)
  }
}

/** All items of a list count as one place. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

type ServerEvent = ReadyEvent | WebhookEvent | RulesEvent | RulesUsedEvent

/** Maximum deadline: callers wait only for seconds. */
const LONGEST_DEADLINE = 60_000

/** Serves the listener for authorisation calls on a port. */
export async function startWebhookServer(
  context: Context,
  flags: WebhookServerFlags,
): Promise<RunningServer<ServerEvent>> {
  const {host, port, deadline: deadlineMs} = flags
  // Without the profile's setting, because a listener belongs to no profile.
  const strict = context.service.strictGiven() ?? false
  if (deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE) {
    throw new Failure('USAGE', {message: '--deadline is from 1ms to 60s.'})
  }
  const credentials = await credentialsOfCallers(flags.auth, context)
  const {auth, signature} = credentials
  const translator = await translatorOf(context, flags.dialect)
  const asks = auth !== undefined || signature !== undefined || flags['client-ca'] !== undefined
  refuseExposed(host, {guarded: asks || flags['i-know-this-is-exposed'] === true})
  const pathPrefix = parsePrefix(flags['path-prefix'] ?? '')
  const tls = await readServerTls(context, flags)
  const events = new EventQueue<ServerEvent>()
  const {now, atExit} = context.surroundings
  const newId = sortableIds({now, randomBytes})
  let inspector: LinkedInspector | undefined
  const {decider, order, ruleHits, pendingCalls, forward} = await chooseDeciders(context, flags, {
    withheld: [
      ...(auth ? [authHeader(auth).name] : []),
      // They sign what came, and what is passed on is ours.
      ...(translator && signature ? [signature.header, signature.timestampHeader] : []),
    ].map(name => name.toLowerCase()),
    onReload: event => {
      events.push(event)
      inspector?.onRules()
    },
  })
  const recording = flags.record ? await recordingFileOf(context, flags.recording) : undefined
  inspector = openInspector(context, flags, {
    pathPrefix,
    deadlineMs,
    credentials,
    now,
    pendingCalls,
    ruleHits,
    forward,
    refused: url => serviceHostProblem(context, 'webhook serve', url),
    translator,
    openRecording: recording === undefined ? undefined : () => webhook.openRecording(recording),
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
        translator,
        recorder,
        credentials,
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
    await decider.close?.()
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
    ...(asks
      ? {
          callersNeed: [
            ...(auth ? [auth.type] : []),
            ...(signature ? ['signature'] : []),
            ...(flags['client-ca'] === undefined ? [] : ['client certificate']),
          ],
        }
      : {}),
    ...(file && {ca: file.path}),
    ...(inspect && {inspect}),
  })
  // On a second signal, stop at once without waiting for the server, so that no decision command keeps running.
  const forget = atExit(() => webhook.killDecider(decider))
  const leaveTerminal =
    pendingCalls && canAskInTerminal(context) ? askInTerminal(context, pendingCalls) : undefined
  return {
    events,
    close: async () => {
      leaveTerminal?.()
      inspector?.close()
      await server.close()
      if (ruleHits) events.push({type: 'rules-used', at: now(), rules: ruleHits()})
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
