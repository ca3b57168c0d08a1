import {type ChildEnvironment, childEnvironment} from '../children/child-environment.ts'
import {exitCode, waitForSameSignal} from '../children/same-signal.ts'
import type {PrinterSurroundings, StartPager} from './printer-options.ts'
import {isDumb} from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The pager's command line: CARDCTL_PAGER, else PAGER, else less with options that leave short text on the screen and
 * pass colours. Undefined if the user wants no pager (an empty value or `cat`), on a dumb terminal, which can't scroll,
 * and on Windows without a variable: it has no less, and its shell doesn't report that.
 */
export function pagerCommand(env: Env, platform: NodeJS.Platform = 'linux'): string | undefined {
  if (isDumb(env)) return undefined
  const command = (env.CARDCTL_PAGER ?? env.PAGER ?? (platform === 'win32' ? '' : 'less -FRX')).trim()
  return command === '' || command === 'cat' ? undefined : command
}

/** Shows text in the pager if it is longer than the terminal. Returns false if the caller is to print it. */
export async function pageIfLong(
  text: string,
  surroundings: Pick<
    PrinterSurroundings,
    'env' | 'platform' | 'stdout' | 'signal' | 'startPager' | 'childEnvironment'
  >,
): Promise<boolean> {
  const {env, platform, stdout, signal, startPager: start = startPager} = surroundings
  const command = stdout.isTTY === true ? pagerCommand(env, platform) : undefined
  // A terminal that doesn't know its height reports 0.
  if (command === undefined || text.split('\n').length <= (stdout.rows || Number.POSITIVE_INFINITY))
    return false
  const passed = surroundings.childEnvironment?.() ?? childEnvironment(env, [])
  return page(text, command, passed, start, signal)
}

/**
 * Begins a line, unless the cursor is at the start of one. A pager that was stopped leaves its prompt behind. The spaces
 * reach the next row from anywhere but the first column.
 */
export const freshLine = (columns: number): string => `${' '.repeat(columns - 1)}\r\u001b[K`

/**
 * Shows text in the pager. Returns false if the pager couldn't start; the caller then prints the text instead. Quitting
 * early is no error. The signal stops the pager.
 */
export async function page(
  text: string,
  command: string,
  env: ChildEnvironment,
  start: StartPager,
  signal?: AbortSignal,
): Promise<boolean> {
  const lines = text.replace(/\n$/, '').split('\n').length
  const pager = await start(command, {LESS: lessOptions(`, line %lb of ${lines}`), ...env})
  const stop = (): void => pager.stop()
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, {once: true})
  pager.stdin.on('error', () => undefined)
  pager.stdin.end(text)
  const end = await pager.ended
  signal?.removeEventListener('abort', stop)
  if (signal) await waitForSameSignal(end, signal)
  // The shell exits with 127 if it didn't find the program and with 126 if it couldn't run it.
  const code = exitCode(end)
  return code !== 126 && code !== 127
}

/** How long a pager may take to restore the terminal, in milliseconds. */
const EXIT_WAIT_MS = 300

/**
 * What is typed into a page is often meant for the shell: less then starts no program and writes no file, and its prompt
 * says how to leave, and how much there is. A question may follow the text.
 */
const lessOptions = (howMuch: string): string =>
  `-FRX -Psq = close this and go on, Space = next page${howMuch}$`

const LESS_SETTINGS = {LESS: lessOptions(''), LESSCHARSET: 'utf-8', LESSSECURE: '1'}

/** Runs the pager through the shell, because PAGER may have quotes and options. */
export const startPager: StartPager = async (command, env) => {
  const {spawn} = await import('node:child_process')
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {...LESS_SETTINGS, ...env},
  })
  return {
    stdin: child.stdin,
    stop: () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), EXIT_WAIT_MS)
      child.once('close', () => clearTimeout(late))
    },
    ended: new Promise(resolve => {
      child.once('error', () => resolve({code: 127, by: null}))
      child.once('close', (code, by) => resolve({code, by}))
    }),
  }
}
