import type {Writable} from 'node:stream'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {type ChildEnd, exitCode, heardSameSignal} from '../children/same-signal.ts'
import {isDumb} from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * A pager that runs: what is written to `stdin` is shown, `ended` resolves when the person leaves.
 */
export interface RunningPager {
  readonly stdin: Writable
  readonly ended: Promise<ChildEnd>
  /** Takes it away; it gives the terminal back first if it can. */
  stop(): void
}

export type StartPager = (command: string, env: ChildEnvironment) => RunningPager | Promise<RunningPager>

/**
 * The pager's command line: CARDCTL_PAGER, else PAGER, else less, which leaves short text on the screen and passes
 * colours. Undefined where a person wants none (an empty value or `cat`), and on a dumb terminal, which can't scroll.
 */
export function pagerCommand(env: Env): string | undefined {
  if (isDumb(env)) return undefined
  const command = (env.CARDCTL_PAGER ?? env.PAGER ?? 'less -FRX').trim()
  return command === '' || command === 'cat' ? undefined : command
}

/**
 * Shows text in the pager. Gives false if the pager couldn't be started, so that the text can be printed instead.
 * Leaving it early is no error; the signal ends it.
 */
export async function page(
  text: string,
  command: string,
  env: ChildEnvironment,
  start: StartPager,
  signal?: AbortSignal,
): Promise<boolean> {
  const pager = await start(command, env)
  const stop = (): void => pager.stop()
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, {once: true})
  pager.stdin.on('error', () => undefined)
  pager.stdin.end(text)
  const end = await pager.ended
  signal?.removeEventListener('abort', stop)
  if (signal) await heardSameSignal(end, signal)
  // 126 and 127: the shell found no such program, or may not run it.
  const code = exitCode(end)
  return code !== 126 && code !== 127
}

/** So long a pager may take to give the terminal back, ms. */
const LAST_WORDS_MS = 300

/** Runs the pager by the shell, as PAGER's users expect of its quotes and options. */
export const startPager: StartPager = async (command, env) => {
  const {spawn} = await import('node:child_process')
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {LESS: 'FRX', LESSCHARSET: 'utf-8', ...env},
  })
  return {
    stdin: child.stdin,
    stop: () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), LAST_WORDS_MS)
      child.once('close', () => clearTimeout(late))
    },
    ended: new Promise(resolve => {
      child.once('error', () => resolve({code: 127, by: null}))
      child.once('close', (code, by) => resolve({code, by}))
    }),
  }
}
