import {spawn} from 'node:child_process'
import {type FileHandle, mkdtemp, open, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ChildEnvironment} from '../../children/child-environment.ts'
import {asTree, signalTree} from '../../children/signal-tree.ts'
import {LIMITS} from '../../limits/limits.ts'
import {maskText} from '../../sensitive/mask-text.ts'

export interface CommandSettings {
  readonly env: ChildEnvironment
  readonly withinMs: number
  readonly signal: AbortSignal
  /**
   * Whether to read what it writes. If not, a program that it leaves running in the background keeps running, and
   * nothing of its output is waited for.
   */
  readonly reads: boolean
}

/** What a command printed, or why it didn't end well, as a sentence without a full stop. */
export type Ended = {readonly text: string} | {readonly problem: string}

/**
 * Runs a command of the user in the shell. At the time limit it is killed with all its processes. If it fails, the problem
 * ends with what it wrote to stderr, masked.
 */
export async function runCommand(command: string, settings: CommandSettings): Promise<Ended> {
  const errors = await openErrors()
  try {
    const ended = await run(command, settings, errors.fd)
    if (!('problem' in ended)) return ended
    const said = maskText((await lastOf(errors)).replace(/\s+/g, ' ').trim())
    return said === '' ? ended : {problem: `${ended.problem}: ${said}`}
  } finally {
    await errors.close()
  }
}

/** Of what a command wrote to stderr, in bytes. */
const MOST_SHOWN = 1000

/** A file without a name: unlike a pipe, it never stops a process that the command leaves in the background. */
async function openErrors(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-stderr-'))
  try {
    return await open(join(folder, 'text'), 'ax+', 0o600)
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}

async function lastOf(file: FileHandle): Promise<string> {
  const {size} = await file.stat()
  const from = Math.max(0, size - MOST_SHOWN)
  const {buffer, bytesRead} = await file.read({position: from, length: MOST_SHOWN})
  return buffer.toString('utf8', 0, bytesRead)
}

function run(
  command: string,
  {env, withinMs, signal, reads}: CommandSettings,
  errors: number,
): Promise<Ended> {
  return new Promise(resolve => {
    const child = spawn(command, {
      ...asTree,
      env,
      stdio: ['ignore', reads ? 'pipe' : 'ignore', errors],
    })
    const pieces: Buffer[] = []
    let size = 0
    const end = (ended: Ended) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.stdout?.destroy()
      resolve(ended)
    }
    const kill = () => signalTree(child, 'SIGKILL')
    const stop = () => {
      kill()
      end({problem: 'it was stopped'})
    }
    const timer = setTimeout(() => {
      kill()
      end({problem: `it did not end within ${Math.round(withinMs / 1000)} s`})
    }, withinMs)
    signal.addEventListener('abort', stop, {once: true})
    child.stdout?.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= LIMITS.call.bytes) pieces.push(piece)
      else kill()
    })
    child.on('error', () => end({problem: 'it cannot be started'}))
    child.on(reads ? 'close' : 'exit', (code, by) => {
      if (size > LIMITS.call.bytes) end({problem: `it printed more than ${LIMITS.call.bytes} bytes`})
      else if (code !== 0)
        end({problem: by === null ? `it ended with exit code ${code}` : `it was ended by ${by}`})
      else end({text: Buffer.concat(pieces).toString('utf8')})
    })
    if (signal.aborted) stop()
  })
}
