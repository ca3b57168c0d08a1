import {serveStdio} from '@modelcontextprotocol/server/stdio'
import type {Context} from '../../../cli/context.ts'
import type {ToolData} from '../../../cli/help/tool-data.ts'
import type {Commands} from '../../../cli/program.ts'
import {Failure} from '../../../errors/failure.ts'
import {EMBEDDED_PROFILE} from '../../../profiles/index.ts'
import {CallQueue} from './call-queue.ts'
import {LineTransport} from './line-transport.ts'
import {LineRunner} from './run-line.ts'
import {serverFor} from './server.ts'
import {type Allowed, ToolCalls} from './tool-calls.ts'
import {toolsFor} from './tools.ts'

interface ServeOptions {
  /** The profile that a flag names. One of the environment doesn't count. */
  readonly profile: string | undefined
  readonly mayReadLive: boolean
  readonly commands: Commands
  readonly data: ToolData
}

/** Serves one client on stdin and stdout until it leaves. */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const {surroundings, printer} = context
  const allowed = await allowedHere(context, options)
  const tools = await toolsFor(options.data, allowed.kind)
  const queue = new CallQueue()
  const calls = new ToolCalls(new LineRunner(surroundings, options.commands), allowed)
  if (surroundings.stdin.isTTY)
    printer.note('This speaks the Model Context Protocol on stdin and stdout: let a program start it.')
  const {promise: gone, resolve} = Promise.withResolvers<void>()
  const transport = new LineTransport(surroundings.stdin, surroundings.stdout, () => {
    queue.stop()
    resolve()
  })
  const handle = serveStdio(() => serverFor({version: options.data.version, tools, calls, queue}), {
    transport,
    onerror: error => context.debug(`mcp: ${error.message}`),
  })
  const stop = () => void handle.close()
  surroundings.signal.addEventListener('abort', stop, {once: true})
  if (surroundings.signal.aborted) stop()
  await gone
  await queue.close()
}

/** @throws Failure GATE_REFUSED */
async function allowedHere(context: Context, {profile, mayReadLive}: ServeOptions): Promise<Allowed> {
  const name = profile ?? EMBEDDED_PROFILE
  const kindNow = async () => (await context.withProfile(name).service.chosen()).profile.kind
  const kind = await kindNow()
  if (profile === undefined && kind !== 'sandbox')
    throw new Failure('GATE_REFUSED', {
      message: `Without -p this serves the sandbox, and the environment makes its kind ${kind}.`,
      hint: 'Name a profile with -p.',
      effect: 'none',
    })
  if (kind === 'live' && !mayReadLive)
    throw new Failure('GATE_REFUSED', {
      message: `${name} is a live profile, and this server may not read from it.`,
      hint: 'The person who sets up the server decides whether it may: cardctl mcp --help.',
      effect: 'none',
    })
  return {profile: name, kind, kindNow}
}
