import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {embeddedFile} from '../../../cli/embedded-sandbox.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {parseRateWindows} from '../../../cli/pace.ts'
import {serviceHostProblem} from '../../../cli/service-host.ts'
import {EventQueue, listening, type RunningServer, refuseExposed} from '../../../cli/serving/run-server.ts'
import {readServerAuth} from '../../../cli/serving/server-auth.ts'
import {writeCertificate} from '../../../cli/serving/server-tls.ts'
import {servingFlags} from '../../../cli/serving/serving-flags.ts'
import {Failure, isStoreAway} from '../../../errors/failure.ts'
import {
  createSandbox,
  type RequestEvent,
  type SandboxOptions,
  type WebhookCallEvent,
  type WebhookOptions,
} from '../../../sandbox/index.ts'
import {createIsolatedSandboxes} from '../../../sandbox/isolated-sandboxes.ts'
import {checkStore, createTenantSandbox} from '../../../sandbox/team.ts'
import {readSandboxWebhook, sandboxWebhookFlags} from './outgoing-calls.ts'
import {readSnapshot, snapshotPlace} from './snapshot-files.ts'
import {forkIntoFolder, stateFileIn} from './snapshot-fork.ts'
import {readStore, storeFlags} from './store.ts'
import type {SandboxEvent} from './views.ts'

export const sandboxServerFlags = {
  ...servingFlags,
  'allow-host': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary:
      'Without --auth, also accept requests for this host name, for example of a container. Repeatable.',
  }),
  data: Flags.string({
    helpValue: 'DIR',
    summary: 'Folder of the state.',
    exclusive: ['memory', 'store'],
  }),
  memory: Flags.boolean({
    summary: 'Keep the state in memory and start with the demo data.',
    exclusive: ['store'],
  }),
  from: Flags.string({
    helpValue: 'SNAPSHOT',
    summary:
      'Begin with the state of a snapshot, by its name or a path with a slash: in memory, or with --data in a new folder.',
    exclusive: ['store'],
  }),
  ...storeFlags,
  tenants: Flags.boolean({
    summary: 'Give each tenant of the database a service of its own. Its token decides. See sandbox tenants.',
    dependsOn: ['store'],
    exclusive: ['auth', 'rate-limit', 'webhook-url'],
  }),
  isolated: Flags.boolean({
    summary:
      'For tests: POST /_sandboxes makes a sandbox in memory, with its own data, clock, faults and keys, and responds with its url.',
    exclusive: ['store', 'data'],
  }),
  'webhook-allow': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'HOST',
    summary:
      'With --tenants, also call webhooks at this host if its address is local to this machine. Repeatable.',
    dependsOn: ['tenants'],
  }),
  'store-connections': Flags.integer({
    helpValue: 'N',
    min: 1,
    max: 1000,
    summary: 'Maximum number of connections of this process to the database (default 4).',
    dependsOn: ['store'],
  }),
  'rate-limit': Flags.string({
    helpValue: '50/s,3000/min',
    summary: 'Rate limit for each credential. Requests beyond it get status 429.',
  }),
  idempotency: Flags.option({
    options: ['documented', 'all'] as const,
    summary:
      'Which writes honour an idempotency key: those that document it, or all POST and PATCH requests (default documented).',
  })(),
  'strict-idempotency': Flags.boolean({
    summary: 'Respond with 422 to a known key with a different body, not with the stored response.',
  }),
  prefixes: Flags.boolean({
    summary: 'Also accept paths with a prefix, as some services have them (/card/v4/3001).',
  }),
  ...sandboxWebhookFlags,
}

type SandboxServerFlags = FlagValues<typeof sandboxServerFlags>

/** Opens the sandbox and serves it on a port. */
export async function startSandboxServer(
  context: Context,
  flags: SandboxServerFlags,
): Promise<RunningServer<SandboxEvent>> {
  const {host, port} = flags
  refuseExposed(host, {
    guarded: flags.auth !== undefined || flags.tenants || flags['i-know-this-is-exposed'] === true,
  })
  const rateLimit = flags['rate-limit'] === undefined ? undefined : parseRateWindows(flags['rate-limit'])
  const auth = await readServerAuth(flags.auth, context)
  const webhook = await readSandboxWebhook(context, flags)
  const lost = Promise.withResolvers<Failure>()
  const state = await stateOptions(context, flags, why => lost.resolve(databaseRefuses(why)))
  const events = new EventQueue<SandboxEvent>()
  const ready = Promise.withResolvers<void>()
  const options = {
    now: context.surroundings.now,
    // The host to listen on is also a name that clients may use.
    allowedHosts: [host, ...(flags['allow-host'] ?? [])],
    prefixes: flags.prefixes ?? false,
    ...(flags.idempotency === undefined ? {} : {idempotency: flags.idempotency}),
    strictIdempotency: flags['strict-idempotency'] ?? false,
    settlement: 'background' as const,
    onRequest: (event: RequestEvent) => events.push({...event, durationMs: inMicros(event.durationMs)}),
    // The first warm-up may end before the server listens, and the first line says where that is.
    onWebhookCall: (event: WebhookCallEvent) =>
      void ready.promise.then(() => events.push({...event, durationMs: inMicros(event.durationMs)})),
    onError: faultReporter(context),
  }
  const open = async () => {
    if (flags.tenants && state.postgres) {
      return createTenantSandbox({
        ...options,
        postgres: state.postgres,
        webhookHosts: flags['webhook-allow'] ?? [],
      })
    }
    const {from} = state
    const own = {
      ...options,
      ...(auth ? {auth} : {}),
      ...(rateLimit ? {rateLimit} : {}),
      ...(webhook ? {webhook, onUnreachable: (why: string) => reportUnreachable(context, webhook, why)} : {}),
    }
    return flags.isolated
      ? createIsolatedSandboxes({
          ...own,
          ...(from && {from}),
          refusedUrl: url => serviceHostProblem(context, 'sandbox serve', url),
        })
      : createSandbox({...own, ...state})
  }
  const sandbox = await open()
  try {
    if (state.postgres) {
      for (const text of (await checkStore(state.postgres)).warnings) context.printer.warn(text)
    }
    const tls = flags.tls ? {tls: 'self-made' as const} : {}
    const server = await listening(() => sandbox.serve({host, port, ...tls}), {host, port})
    const {url, cert} = server
    const file = cert === undefined ? undefined : await writeCertificate(context, 'sandbox', {cert, url})
    events.push({type: 'ready', url, ...(file && {ca: file.path})})
    ready.resolve()
    return {
      events,
      lost: lost.promise,
      close: async () => {
        await server.close()
        await sandbox.close()
        await file?.remove()
      },
    }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** A duration in milliseconds, rounded to microseconds. */
const inMicros = (ms: number): number => Math.round(ms * 1000) / 1000

/** Where the state is kept. */
async function stateOptions(
  context: Context,
  flags: SandboxServerFlags,
  onRefused: (why: string) => void,
): Promise<Pick<SandboxOptions, 'file' | 'postgres' | 'from'>> {
  if (flags.from !== undefined) {
    const from = await readSnapshot(context, snapshotPlace(context, flags.from))
    return flags.data === undefined ? {from} : {file: await forkIntoFolder(context, flags.data, from)}
  }
  if (flags.memory || flags.isolated) return {}
  const store = await readStore(context, flags)
  if (store === undefined) return {file: stateFile(context, flags.data)}
  const {'store-connections': most} = flags
  return {postgres: {...store, onRefused, ...(most === undefined ? {} : {connections: most})}}
}

const databaseRefuses = (why: string) =>
  new Failure('STORE_UNAVAILABLE', {
    message: `The database has refused this process for a minute: ${why}. The process ends, so that a new one begins with the password and the certificate of now.`,
    hint: 'Check the user, the password and the certificate that --store leads to, then start the server again.',
  })

function stateFile(context: Context, folder: string | undefined): string {
  return folder === undefined ? embeddedFile(context) : stateFileIn(folder)
}

/** Without this warning, a wrong URL would show only as declined authorisations. */
function reportUnreachable({printer}: Context, {url, fallback}: WebhookOptions, why: string): void {
  const decided = fallback === 'approve' ? 'approved' : 'declined'
  printer.warn(`${url}: ${why}. Until it answers, authorisations are ${decided} (--webhook-fallback).`)
}

/** How long the same error isn't reported again, ms: without its database, a sandbox has one for each request. */
const SAME_ERROR_MS = 10_000

/**
 * Reports errors of the sandbox itself. Their messages may quote data, so only those of ours are shown; --debug shows
 * where it happened.
 */
function faultReporter(context: Context): (error: unknown) => void {
  const reported = new Map<string, number>()
  return error => {
    const what = whatFailed(error)
    const now = context.surroundings.now()
    if (now < (reported.get(what) ?? 0) + SAME_ERROR_MS) return
    reported.set(what, now)
    context.printer.warn(what)
    debugFrames(context, error)
  }
}

function whatFailed(error: unknown): string {
  if (isStoreAway(error)) return error.message
  return `The sandbox failed to handle a request: ${error instanceof Error ? error.name : typeof error}.`
}

function debugFrames(context: Context, error: unknown): void {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : []
  for (const frame of frames.filter(line => line.trimStart().startsWith('at '))) context.debug(frame)
}
