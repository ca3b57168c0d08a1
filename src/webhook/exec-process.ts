import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {asTree, signalTree} from '../children/signal-tree.ts'
import {isObject} from '../errors/is-object.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {type Decider, DecisionFault, type DecisionRequest} from './decide.ts'
import {readAnswer} from './exec-answer.ts'
import {lineReader} from './line-reader.ts'
import {shownAnswer} from './shown-answer.ts'

interface ProcessOptions {
  /** A line that the command wrote to stderr, card numbers masked, and the call that it is about if that is known. */
  onStderr(line: string, event?: string): void
  /** The command ended, or wrote something that is no answer: a sentence. */
  onTrouble(message: string): void
  readonly env: ChildEnvironment
  /** Maximum number of calls that the command has at a time; 256 by default. The others wait. */
  readonly most?: number
}

/** A call that waits for the command. */
interface Asked {
  readonly line: string
  resolve(answer: unknown): void
  reject(fault: DecisionFault): void
}

const MOST = 256
const LONGEST_LINE = 16 * 1024
/** Ids of calls that are over, to name late and repeated answers. */
const MOST_OVER = 1000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
/** How long to wait for output after the command has ended: a process that it started may keep it open. */
const REST_MS = 100
/** How long the command may take to end by itself. */
const END_MS = 1000

/**
 * Lets one long-running command decide. It reads a call per line, `{"id":"e_…","call":{…}}`, and writes an answer per
 * line, `{"id":"e_…","answer":"approve"}`, in any order. When it ends, the calls that it had get no decision, and it is
 * started again, after a pause that grows until it answers a call.
 */
export function decideByProcess(command: string, options: ProcessOptions): Decider {
  const {onStderr, onTrouble, env, most = MOST} = options
  /** Not written yet, in order of arrival. */
  const waiting = new Map<string, Asked>()
  /** Written, and not answered yet. */
  const asked = new Map<string, Asked>()
  const over = new Set<string>()
  let child: ChildProcessWithoutNullStreams | undefined
  let isFull = false
  let pauseMs = FIRST_PAUSE_MS
  let restart: NodeJS.Timeout | undefined
  let isClosed = false

  function end(event: string): void {
    waiting.delete(event)
    if (!asked.delete(event)) return
    over.add(event)
    const [oldest] = over
    if (over.size > MOST_OVER && oldest !== undefined) over.delete(oldest)
  }

  function write(): void {
    for (const [event, call] of waiting) {
      if (!child || isFull || asked.size >= most) return
      waiting.delete(event)
      asked.set(event, call)
      isFull = !child.stdin.write(call.line)
    }
  }

  /** Quotes a line only masked, and not more than its beginning. */
  const unusable = (what: string, line: string): void =>
    onTrouble(`The command wrote ${what}: ${shownAnswer(line)}`)

  function take(line: string): void {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      unusable("a line that isn't JSON", line)
      return
    }
    if (!isObject(value) || typeof value.id !== 'string' || value.answer === undefined) {
      unusable('a line without "id" and "answer"', line)
      return
    }
    const call = asked.get(value.id)
    if (!call) {
      unusable(`an answer to a call that ${over.has(value.id) ? 'is over' : 'it did not get'}`, line)
      return
    }
    end(value.id)
    pauseMs = FIRST_PAUSE_MS
    call.resolve(value.answer)
    write()
  }

  /** The call whose id is in a line, or the only one. */
  function eventOf(line: string): string | undefined {
    const named = line.match(/\be_\w+/g)?.find(word => asked.has(word) || over.has(word))
    const [only] = asked.keys()
    return named ?? (asked.size === 1 ? only : undefined)
  }

  function start(): void {
    const started = spawn(command, {...asTree, env})
    child = started
    isFull = false
    const lines = lineReader(take)
    const errors = lineReader(line => onStderr(maskWithin(line, LONGEST_LINE), eventOf(line)))
    let why = 'closed its input or output'
    let rest: NodeJS.Timeout | undefined
    const gone = () => {
      clearTimeout(rest)
      if (child !== started) return
      child = undefined
      // Also what the shell has started and left behind.
      signalTree(started, 'SIGKILL')
      lost(why)
    }
    /** It gets no more calls. What it has written may still be on its way. */
    const ending = () => {
      if (child === started) isFull = true
      if (!isClosed) rest ??= setTimeout(gone, REST_MS)
    }
    started.stdout.on('data', lines.take)
    started.stdout.on('end', () => {
      lines.end()
      ending()
    })
    started.stderr.on('data', errors.take)
    started.stderr.on('end', errors.end)
    started.stdin.on('error', () => undefined)
    started.stdin.on('close', ending)
    started.stdin.on('drain', () => {
      isFull = false
      write()
    })
    started.on('error', () => {
      why = "can't be started"
      gone()
    })
    started.on('exit', (code, signal) => {
      why = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
      ending()
    })
    started.on('close', gone)
    write()
  }

  function lost(why: string): void {
    const calls = [...asked]
    for (const [event, {reject}] of calls) {
      end(event)
      reject(new DecisionFault(`the command ${why} before it answered`))
    }
    if (isClosed) return
    const had =
      calls.length === 0 ? '' : ` ${calls.length === 1 ? '1 call' : `${calls.length} calls`} got no decision.`
    onTrouble(`The command ${why}.${had} It starts again in ${pauseMs} ms.`)
    restart = setTimeout(start, pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function ask({event, bytes, signal}: DecisionRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const tooLate = () => {
        end(event)
        reject(new DecisionFault('the command did not answer within the deadline'))
        write()
      }
      const settle = () => signal.removeEventListener('abort', tooLate)
      signal.addEventListener('abort', tooLate, {once: true})
      waiting.set(event, {
        line: lineOf(event, bytes),
        resolve: answer => {
          settle()
          resolve(answer)
        },
        reject: fault => {
          settle()
          reject(fault)
        },
      })
      write()
    })
  }

  function kill(): void {
    isClosed = true
    clearTimeout(restart)
    if (child) signalTree(child, 'SIGKILL')
  }

  start()
  return {
    decide: async request => {
      const {call, event, signal, note} = request
      if (signal.aborted) throw new DecisionFault('the deadline passed before the command got the call')
      const said = (text: string) => note({by: 'exec', said: text})
      // Report the deadline at once: the answer to the call doesn't wait for the command.
      const late = () =>
        said(waiting.has(event) ? 'waited for the command until the deadline' : 'no answer by the deadline')
      signal.addEventListener('abort', late, {once: true})
      try {
        const given = await ask(request)
        const text = typeof given === 'string' ? given : JSON.stringify(given)
        const {answer, unread} = await readAnswer(text, call).catch((error: unknown) => {
          if (!(error instanceof DecisionFault)) throw error
          said(`${error.message}; it wrote ${shownAnswer(text)}`)
          throw new DecisionFault(`the command: ${error.message}`)
        })
        said('answered')
        return {answer, by: 'exec', ...(unread.length > 0 && {unread})}
      } finally {
        signal.removeEventListener('abort', late)
      }
    },
    warmUp: async () => {
      if (!child) throw new DecisionFault('the command is not running')
    },
    close: async () => {
      isClosed = true
      clearTimeout(restart)
      const last = child
      if (!last) return
      if (last.exitCode === null && last.signalCode === null) {
        const ended = new Promise(resolve => last.once('exit', resolve))
        last.stdin.end()
        signalTree(last, 'SIGTERM')
        const tooLong = setTimeout(kill, END_MS)
        await ended
        clearTimeout(tooLong)
      }
      signalTree(last, 'SIGKILL')
      last.stdout.destroy()
      last.stderr.destroy()
    },
    kill,
  }
}

/** A call in one line, with the digits as they came: line ends in JSON are only between its values. */
function lineOf(event: string, bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return `{"id":${JSON.stringify(event)},"call":${text.replace(/[\r\n]+/g, ' ')}}\n`
}
