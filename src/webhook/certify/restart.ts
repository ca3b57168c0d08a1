import {connect} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import type {Caller} from '../send/caller.ts'
import {type CommandSettings, runCommand} from './run-command.ts'

/** Restarts the endpoint. Returns once it answers again, or why that can't be said. */
export type Restart = () => Promise<{readonly problem?: string}>

const COMMAND_MS = 120_000
const ANSWER_MS = 60_000
const PAUSE_MS = 50

/**
 * Restarts an endpoint by a command of the user, and waits until it answers. A connection that is open meanwhile must be
 * closed by that: otherwise the same process, or something before it, may go on answering.
 */
export function openRestart(
  command: string,
  {
    url,
    caller,
    ...settings
  }: Pick<CommandSettings, 'env' | 'signal'> & {
    readonly url: URL
    readonly caller: Caller
  },
): Restart {
  return async () => {
    const watched = await openConnection(url)
    try {
      const ended = await runCommand(command, {...settings, withinMs: COMMAND_MS, reads: false})
      if ('problem' in ended) return {problem: `--restart failed: ${ended.problem}`}
      if (!(await answers(caller, settings.signal))) {
        return {problem: `the endpoint did not answer within ${ANSWER_MS / 1000} s of --restart`}
      }
      if (watched?.isOpen())
        return {problem: 'a connection stayed open during --restart, so nothing shows a restart'}
      return {}
    } finally {
      watched?.close()
    }
  }
}

/** A warm-up tells: it must change nothing. */
async function answers(caller: Caller, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + ANSWER_MS
  while (performance.now() < until && !signal.aborted) {
    const {outcome, status} = await caller.warmUp({signal, withinMs: Math.max(caller.deadlineMs, 1000)})
    if (outcome !== 'unreachable' && (outcome === 'ready' || status !== undefined)) return true
    await delay(PAUSE_MS)
  }
  return false
}

interface Watched {
  isOpen(): boolean
  close(): void
}

/** Nothing is sent over it. Undefined if nobody accepts it. */
function openConnection({hostname, port, protocol}: URL): Promise<Watched | undefined> {
  return new Promise(resolve => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    })
    let isOpen = false
    socket.on('connect', () => {
      isOpen = true
      resolve({isOpen: () => isOpen, close: () => socket.destroy()})
    })
    socket.on('close', () => {
      isOpen = false
      resolve(undefined)
    })
    socket.on('error', () => undefined)
    // Without a reader, the end of the other side would not be seen.
    socket.resume()
  })
}
