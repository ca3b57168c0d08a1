import {spawn} from 'node:child_process'
import type {ChildEnvironment} from '../children/child-environment.ts'
import {asTree, signalTree} from '../children/signal-tree.ts'
import {LIMITS} from '../limits/limits.ts'
import {maskWithin} from '../sensitive/mask-text.ts'
import {type Decider, DecisionFault, type DecisionRequest} from './decide.ts'
import {readAnswer} from './exec-answer.ts'
import {lineReader} from './line-reader.ts'
import {shownAnswer} from './shown-answer.ts'

/** Limits how many run at a time; the others wait in order of arrival. */
class CommandSlots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Works when a slot is free. @throws the signal's reason if it aborts before that. */
  async hold<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#take(signal)
    try {
      // The signal may have aborted between the slot and here.
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#leave()
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#free > 0) {
        this.#free--
        resolve()
        return
      }
      const goOn = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(goOn)
        reject(signal.reason)
      }
      this.#waiting.add(goOn)
      signal.addEventListener('abort', giveUp, {once: true})
    })
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

interface ExecOptions {
  /** A line that the command wrote to stderr about a call (its event), card numbers masked. */
  onStderr(line: string, event: string): void
  readonly env: ChildEnvironment
  /** Maximum number of commands at a time; 64 by default. More would only delay each other. */
  readonly most?: number
}

const MOST = 64
const LONGEST_LINE = 16 * 1024
/** How long to wait for output after the shell has ended, ms: a process that it started may keep the output open. */
const REST_MS = 100

/**
 * Lets a command decide: it gets the call on stdin, byte for byte, and writes its answer to stdout. The shell runs it as
 * given; no part of a call is in its arguments or environment. At the deadline it is killed with all its processes.
 */
export function decideByCommand(command: string, {onStderr, env, most = MOST}: ExecOptions): Decider {
  const slots = new CommandSlots(most)
  const running = new Set<() => void>()

  function run({bytes, signal, event}: DecisionRequest): Promise<{code: number | null; text: string}> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, {...asTree, env})
      // A process that left the group may keep the other ends open for ever.
      const letGo = () => {
        child.stdout.destroy()
        child.stderr.destroy()
      }
      const kill = () => {
        letGo()
        signalTree(child, 'SIGKILL')
      }
      const settle = () => {
        running.delete(kill)
        signal.removeEventListener('abort', kill)
      }
      running.add(kill)
      signal.addEventListener('abort', kill, {once: true})
      let rest: NodeJS.Timeout | undefined
      const pieces: Buffer[] = []
      let size = 0
      child.stdout.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > LIMITS.call.bytes) kill()
        else pieces.push(piece)
      })
      const lines = lineReader(line => onStderr(maskWithin(line, LONGEST_LINE), event))
      child.stderr.on('data', lines.take)
      // A command that doesn't read its call may still decide.
      child.stdin.on('error', () => undefined)
      child.on('error', () => {
        settle()
        reject(new DecisionFault("the command can't be started"))
      })
      child.on('exit', () => {
        rest = setTimeout(letGo, REST_MS)
      })
      child.on('close', code => {
        clearTimeout(rest)
        settle()
        lines.end()
        if (signal.aborted) reject(new DecisionFault('the command was killed at the deadline'))
        else if (size > LIMITS.call.bytes) reject(new DecisionFault('the command wrote more than 64 KiB'))
        else resolve({code, text: Buffer.concat(pieces).toString('utf8')})
      })
      child.stdin.end(bytes)
    })
  }

  return {
    decide: async request => {
      const {call, signal, note} = request
      if (signal.aborted) throw new DecisionFault('the deadline passed before the command started')
      const said = (text: string) => note({by: 'exec', said: text})
      let isRunning = false
      let wrote = ''
      // Report the deadline at once: the answer to the call doesn't wait until the command has ended.
      const ended = () =>
        said(isRunning ? 'killed at the deadline' : 'waited for other commands until the deadline')
      signal.addEventListener('abort', ended, {once: true})
      try {
        const {code, text} = await slots.hold(signal, () => {
          isRunning = true
          return run(request)
        })
        if (code !== 0)
          throw new DecisionFault(
            `the command ended with ${code === null ? 'a signal' : `exit code ${code}`}`,
          )
        const {answer, unread} = await readAnswer(text, call).catch((error: unknown) => {
          if (text.trim() !== '') wrote = `; it wrote ${shownAnswer(text)}`
          throw error instanceof DecisionFault ? new DecisionFault(`the command: ${error.message}`) : error
        })
        said('answered')
        return {answer, by: 'exec', ...(unread.length > 0 && {unread})}
      } catch (error) {
        if (error instanceof DecisionFault && !signal.aborted) said(error.message + wrote)
        throw error
      } finally {
        signal.removeEventListener('abort', ended)
      }
    },
    close: () => {
      for (const kill of running) kill()
    },
  }
}
