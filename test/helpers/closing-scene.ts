// Windows that are closed at random moments, over commands that ask, hide what is typed, and send.
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {type Home, openHome} from './cli.ts'
import {COMPILED} from './process-home.ts'
import {openPseudoTerminal} from './pseudo-terminal.ts'

const BINARY = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

export interface ClosingScene {
  /** How often to close each command's terminal. */
  readonly closings: number
  readonly random: () => number
  /** The longest time that a process may outlive its terminal, s. */
  readonly most?: number
}

export interface ClosingReport {
  /** How the runs of each command ended: the exit code, and how often. */
  readonly ends: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The longest that a process outlived its terminal, s. */
  readonly longest: number
}

interface Play {
  readonly argv: readonly string[]
  /** The text that shows that it has begun. */
  readonly begins: string
  /** The text that shows that all is done. */
  readonly ends: string
  /** What is typed when something is shown, in this order. */
  readonly typed: readonly (readonly [when: string, keys: string])[]
}

const ROWS = 400

const PLAYS: Readonly<Record<string, Play>> = {
  'profiles add': {
    argv: ['profiles', 'add'],
    begins: 'Name of the profile',
    ends: 'profiles test far',
    typed: [
      ['Name of the profile', 'far\r'],
      ['What is behind this profile?', '\r'],
      ['Address of the service', 'https://service.invalid\r'],
      ['How does the service authenticate requests?', '\u001b[B\r'],
      ['User name', 'ops\r'],
      ['Password', 'hunter2hunter2\r'],
    ],
  },
  'pin set': {
    argv: ['pin', 'set', '3004'],
    begins: 'New PIN:',
    ends: 'plastic 7004',
    typed: [
      ['New PIN:', '8253\r'],
      ['The same PIN again:', '8253\r'],
    ],
  },
  'bulk run': {
    argv: [
      'bulk',
      'run',
      'accounts.patchCredit.v4',
      '--from',
      'rows.csv',
      '--yes',
      '--rate',
      'off',
      '--unordered',
    ],
    begins: '400 rows',
    ends: 'Held back',
    typed: [],
  },
}

/** @throws Error when a process outlives its terminal, leaves a file behind that is only for a while, or breaks what is kept. */
export async function closingScene({closings, random, most = 2}: ClosingScene): Promise<ClosingReport> {
  const ends: Record<string, Record<string, number>> = {}
  let longest = 0
  const reader = await openHome()
  try {
    for (const [name, play] of Object.entries(PLAYS)) {
      const closed = (ms?: number) => closedAfter(play, {ms, most, reader})
      const whole = await closed()
      const counts: Record<string, number> = {}
      for (let at = 0; at < closings; at++) {
        const {code, outlived} = await closed(random() * whole.took)
        counts[code] = (counts[code] ?? 0) + 1
        longest = Math.max(longest, outlived)
      }
      ends[name] = counts
    }
  } finally {
    await reader.remove()
  }
  return {ends, longest}
}

interface Closed {
  readonly code: number
  readonly took: number
  readonly outlived: number
}

interface Closing {
  /** How long after the start the terminal is closed; without a number, never. */
  readonly ms: number | undefined
  readonly most: number
  /** Reads what is kept, without a process of its own. */
  readonly reader: Home
}

/** Plays it in a new home. */
async function closedAfter(play: Play, {ms, most, reader}: Closing): Promise<Closed> {
  const home = await mkdtemp(join(tmpdir(), 'cardctl-closing-'))
  try {
    mkdirSync(join(home, 'tmp'))
    const rows = Array.from({length: ROWS}, (_, at) => `2001,${5000 + at}\n`)
    writeFileSync(join(home, 'rows.csv'), `id,creditLimit\n${rows.join('')}`)
    const terminal = openPseudoTerminal([process.execPath, BINARY, ...play.argv], {
      cwd: home,
      env: {
        HOME: home,
        TMPDIR: join(home, 'tmp'),
        PATH: process.env.PATH ?? '',
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
        CARDCTL_PROFILE: 'sandbox',
        CARDCTL_CACHE_DIR: COMPILED,
      },
    })
    await terminal.shows(play.begins)
    const began = performance.now()
    const timer = ms === undefined ? undefined : setTimeout(() => terminal.close(), ms)
    const typing = (async () => {
      for (const [when, keys] of play.typed) {
        await terminal.shows(when)
        terminal.type(keys)
      }
    })().catch(() => undefined)
    const {code, seconds} = await terminal.ended
    const took = performance.now() - began
    clearTimeout(timer)
    await typing
    if (ms === undefined && code !== 0)
      throw new Error(`${play.argv.join(' ')} ended ${code}:\n${terminal.output()}`)
    // Or it had ended before. Node takes its listeners away at the very end, where the system's own end by SIGHUP is as good.
    const isOver = code === -1 && terminal.output().includes(play.ends)
    if (code !== 0 && code !== 129 && !isOver)
      throw new Error(`${play.argv.join(' ')} ended ${code} when its terminal went:\n${terminal.output()}`)
    const outlived = code === 0 ? 0 : seconds
    if (outlived > most) throw new Error(`${play.argv.join(' ')} outlived its terminal by ${outlived} s`)
    mustBeGone(home)
    await mustBeWhole(home, reader)
    return {code, took, outlived}
  } finally {
    await rm(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
  }
}

/** Checks that no process of that home runs and no temporary file is left. */
function mustBeGone(home: string): void {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    if (Number(pid) !== process.pid && environmentOf(pid).includes(`HOME=${home}\0`))
      throw new Error(`process ${pid} is left`)
  }
  const files = readdirSync(home, {recursive: true}).map(String)
  const left = files.filter(path => /^tmp\/|\.tmp|\.part|\.new/.test(path))
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

/** Checks that profiles, journal, audit trail and jobs can be read, and that the trail is unchanged. */
async function mustBeWhole(folder: string, reader: Home): Promise<void> {
  const env = {
    CARDCTL_CONFIG_DIR: join(folder, '.config/cardctl'),
    CARDCTL_DATA_DIR: join(folder, '.local/share/cardctl'),
  }
  for (const line of ['profiles list', 'requests list', 'bulk list', 'audit verify']) {
    const {code, stderr} = await reader.run(line.split(' '), {env})
    if (code !== 0) throw new Error(`${line} ended ${code}: ${stderr}`)
  }
}
