import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {asTree, signalTree} from '../../children/signal-tree.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {lineReader} from '../line-reader.ts'
import {LIMIT_MS, type Probe, ProbeFault, readHolds} from './probe.ts'
import type {CommandSettings} from './run-command.ts'

/** Of what the command wrote to stderr, in characters. */
const MOST_SHOWN = 1000

/** A question that waits for its line. */
interface Asked {
  answer(line: string): void
  fail(why: string): void
  /** Asks a new process. @returns false if that was done, or this one had answered nothing before */
  again(): boolean
}

/**
 * Asks one command that is started once: it reads the `metadata.id` of a call per line, and writes a JSON array of its
 * holds per line, in the same order. If it has ended by itself between two questions, it is started again; also if that is
 * seen only when the next question was on its way.
 */
export function openProbeProcess(
  command: string,
  {env, signal}: Pick<CommandSettings, 'env' | 'signal'>,
): {readonly probe: Probe; close(): void} {
  let child: ChildProcessWithoutNullStreams | undefined
  let asked: Asked | undefined
  /** One after the other: a line has no id. */
  let last: Promise<unknown> = Promise.resolve()

  function start(): ChildProcessWithoutNullStreams {
    const started = spawn(command, {...asTree, env})
    let said = ''
    const lines = lineReader(line => asked?.answer(line))
    const lost = (why: string) => {
      if (child !== started) return
      child = undefined
      signalTree(started, 'SIGKILL')
      const shown = maskText(said.replace(/\s+/g, ' ').trim())
      asked?.fail(shown === '' ? why : `${why}: ${shown}`)
    }
    started.stdout.on('data', lines.take).on('end', lines.end)
    started.stderr.on('data', (piece: Buffer) => {
      said = `${said}${piece.toString('utf8')}`.slice(-MOST_SHOWN)
    })
    started.stdin.on('error', () => undefined)
    started.on('error', () => lost('it cannot be started'))
    started.on('close', (code, by) => {
      if (code === 0 && child === started && asked?.again()) return
      lost(by === null ? `it ended with exit code ${code} before it answered` : `it was ended by ${by}`)
    })
    return started
  }

  function close(): void {
    if (child) signalTree(child, 'SIGKILL')
    child = undefined
  }

  async function lineFor(id: string): Promise<string> {
    const isFresh = child === undefined
    child ??= start()
    const {stdin} = child
    return new Promise<string>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        asked = undefined
      }
      const fail = (why: string) => {
        settle()
        reject(new ProbeFault(`--probe failed: ${why}`))
      }
      // A late line would be taken for the next answer.
      const giveUp = (why: string) => {
        close()
        fail(why)
      }
      const stop = () => giveUp('it was stopped')
      const timer = setTimeout(() => giveUp(`it did not answer within ${LIMIT_MS / 1000} s`), LIMIT_MS)
      signal.addEventListener('abort', stop, {once: true})
      asked = {
        answer: line => {
          settle()
          resolve(line)
        },
        fail,
        again: () => {
          if (isAgain) return false
          isAgain = true
          child = start()
          child.stdin.write(`${id}\n`)
          return true
        },
      }
      let isAgain = isFresh
      if (signal.aborted) stop()
      else stdin.write(`${id}\n`)
    })
  }

  return {
    probe: async id => {
      if (!/^[\w-]+$/.test(id)) throw new ProbeFault('the id of the call is no plain word')
      const line = last.then(() => lineFor(id))
      last = line.catch(() => undefined)
      return readHolds(await line)
    },
    close,
  }
}
