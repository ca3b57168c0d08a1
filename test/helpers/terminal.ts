import {execFileSync} from 'node:child_process'
import {join} from 'node:path'
import process from 'node:process'
import {onTestFinished} from 'vitest'
import {BINARY, plainEnv, quoted} from './binary.ts'

/** Whether tmux can be run here. Without it its tests are skipped and counted; where CI runs, that is an error. */
export const hasTmux = ((): boolean => {
  try {
    execFileSync('tmux', ['-V'], {stdio: 'ignore'})
    return true
  } catch {
    if (process.env.CI) throw new Error('tmux is needed under CI')
    return false
  }
})()

/** A terminal of 100 columns with a shell in it, in which `cardctl` is the binary. */
export interface Terminal {
  /** Types a text and presses Enter. */
  line(text: string): void
  /** Presses keys by their tmux names: `Down`, `Enter`, `C-c`. */
  press(...keys: readonly string[]): void
  resize(columns: number, rows: number): void
  /** The text on the screen, without blank lines at the end. */
  screen(): string
  /** Waits until the screen shows it, and returns the screen. The test's own timeout ends the wait. */
  shows(what: RegExp | string): Promise<string>
}

export function openTerminal(home: string, env: Record<string, string> = {}): Terminal {
  // The socket is in the test's own folder, apart from any other tmux.
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', join(home, 'tmux.sock'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: plainEnv(home, {TERM: 'xterm-256color'}),
    })
  const variables = {...plainEnv(home, env), TERM: 'screen-256color', PS1: '$ '}
  const assigned = Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`))
  const shell = `exec env -i ${assigned.join(' ')} bash --norc --noprofile`
  tmux('new-session', '-d', '-x', '100', '-y', '50', '-c', home, shell)
  onTestFinished(() => {
    tmux('kill-server')
  })
  const send = (...args: readonly string[]) => tmux('send-keys', ...args)
  const screen = () => tmux('capture-pane', '-p').trimEnd()
  send('-l', `cardctl() { ${quoted(process.execPath)} ${quoted(BINARY)} "$@"; }; clear`)
  send('Enter')
  return {
    line: text => {
      send('-l', text)
      send('Enter')
    },
    press: (...keys) => send(...keys),
    resize: (columns, rows) => {
      tmux('resize-window', '-x', String(columns), '-y', String(rows))
    },
    screen,
    shows: async what => {
      const isThere = (text: string) => (typeof what === 'string' ? text.includes(what) : what.test(text))
      let text = screen()
      let looks = 0
      while (!isThere(text)) {
        if (++looks > 400) throw new Error(`The terminal never showed ${what}, but:\n${text}`)
        await new Promise(resolve => setTimeout(resolve, 50))
        text = screen()
      }
      return text
    },
  }
}
