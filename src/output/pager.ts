import type {Writable} from 'node:stream'
import type {ChildEnvironment} from '../children/child-environment.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A pager that runs: what is written to `stdin` is shown, `ended` resolves with its exit code when the person leaves. */
export interface RunningPager {
  readonly stdin: Writable
  readonly ended: Promise<number>
}

export type StartPager = (command: string, env: ChildEnvironment) => RunningPager | Promise<RunningPager>

/**
 * The pager's command line: CARDCTL_PAGER, else PAGER, else less, which leaves short text on the screen and passes
 * colours. Undefined where a person wants none: an empty value or `cat`.
 */
export function pagerCommand(env: Env): string | undefined {
  const command = (env.CARDCTL_PAGER ?? env.PAGER ?? 'less -FRX').trim()
  return command === '' || command === 'cat' ? undefined : command
}

/**
 * Shows text in the pager. Gives false if the pager couldn't be started, so that the text can be printed instead.
 * Leaving it early is no error.
 */
export async function page(
  text: string,
  command: string,
  env: ChildEnvironment,
  start: StartPager,
): Promise<boolean> {
  const pager = await start(command, env)
  pager.stdin.on('error', () => undefined)
  pager.stdin.end(text)
  const code = await pager.ended
  // 126 and 127: the shell found no such program, or may not run it.
  return code !== 126 && code !== 127
}

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
    ended: new Promise(resolve => {
      child.once('error', () => resolve(127))
      child.once('close', code => resolve(code ?? 0))
    }),
  }
}
