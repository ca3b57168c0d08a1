import {statfs} from 'node:fs/promises'
import {freemem, totalmem} from 'node:os'
import process from 'node:process'
import {broken, doubtful, type Finding, fine} from './finding.ts'
import {nearest} from './folders.ts'

const MEBIBYTE = 1024 * 1024
/** Enough memory for a bulk job and the sandbox. */
const LITTLE_MEMORY = 200 * MEBIBYTE

/** Checks the versions of Node.js and SQLite, and whether SQLite has the features that cardctl needs. */
export async function runtime(): Promise<Finding> {
  const {node, sqlite} = process.versions
  const facts = {node, sqlite}
  try {
    // Loaded on first use: only this check needs the journal's database.
    const {DatabaseSync} = await import('node:sqlite')
    const db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE one (value TEXT) STRICT')
    db.close()
  } catch {
    return broken(
      'INTERNAL',
      `Node ${node} has no usable SQLite`,
      'Install a complete Node, or run cardctl with the one in its package.',
      {facts},
    )
  }
  return fine(`Node ${node}, SQLite ${sqlite}`, {facts})
}

export function memory(available = process.availableMemory?.() ?? freemem(), total = totalmem()): Finding {
  // Without /proc, the system says that nothing is free.
  if (available <= 0) return {state: 'unchecked', message: 'not known: the system does not say what is free'}
  const facts = {availableBytes: available, totalBytes: total}
  const words = `${bytes(available)} of ${bytes(total)} free`
  return available >= LITTLE_MEMORY
    ? fine(words, {facts})
    : doubtful(words, 'Close other programs; bulk runs and the sandbox may be slow or end.', {facts})
}

/** 3.1 GiB. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(count, 1)) / 10))
  const value = count / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** Approximate size of the journal of a large bulk job. */
const LITTLE_SPACE = 500 * MEBIBYTE
/** cardctl doesn't send a write that it can't record. */
const TOO_LITTLE_SPACE = 10 * MEBIBYTE

/** Checks the free space for the journal and the audit trail. */
export async function diskSpace(folder: string, spaceOf = freeBytes): Promise<Finding> {
  const free = await spaceOf(await nearest(folder))
  const facts = {freeBytes: free}
  const words = `${bytes(free)} free for ${folder}`
  const advice =
    'Free space there, but delete nothing of cardctl: another CARDCTL_DATA_DIR knows nothing of what was sent.'
  if (free < TOO_LITTLE_SPACE) return broken('DISK_FULL', words, advice, {facts})
  return free < LITTLE_SPACE ? doubtful(words, advice, {facts}) : fine(words, {facts})
}

async function freeBytes(folder: string): Promise<number> {
  const {bavail, bsize} = await statfs(folder)
  return bavail * bsize
}

export interface Terminal {
  readonly isTerminal: boolean
  readonly interactive: boolean
  readonly colour: number
  readonly ascii: boolean
  readonly width: number | undefined
}

const COLOURS = ['no colour', '16 colours', '256 colours', 'true colour']
/** Views are designed for 80 columns. Below this width, values are shown below their labels. */
const NARROW = 60

/** Checks the terminal features that tables and questions use. */
export function terminalFinding({isTerminal, interactive, colour, ascii, width}: Terminal): Finding {
  const words = [
    isTerminal ? `${width ?? 80} columns` : 'no terminal',
    COLOURS[colour] ?? '',
    ascii ? 'ASCII' : 'Unicode',
    interactive ? 'asks questions' : 'never asks',
  ].join(', ')
  const facts = {isTerminal, interactive, colour, unicode: !ascii, width: width ?? null}
  const isNarrow = isTerminal && width !== undefined && width < NARROW
  return isNarrow ? doubtful(words, 'Make it wider, or use -o json.', {facts}) : fine(words, {facts})
}
