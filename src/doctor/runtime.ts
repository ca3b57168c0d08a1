import {freemem, totalmem} from 'node:os'
import process from 'node:process'
import {broken, doubtful, type Finding, fine} from './finding.ts'

const MEBIBYTE = 1024 * 1024
/** A bulk run and the sandbox fit into this. */
const LITTLE_MEMORY = 200 * MEBIBYTE

/** The version of Node and SQLite, and whether SQLite does what is asked of it. */
export async function runtime(): Promise<Finding> {
  const {node, sqlite} = process.versions
  const facts = {node, sqlite}
  try {
    // Door: the journal's database.
    const {DatabaseSync} = await import('node:sqlite')
    const db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE one (value TEXT) STRICT')
    db.close()
  } catch {
    return broken(
      'INTERNAL',
      `Node ${node} without a usable SQLite`,
      'Install a complete Node, or run cardctl with the one that its package brings.',
      {facts},
    )
  }
  return fine(`Node ${node}, SQLite ${sqlite}`, {facts})
}

export function memory(available = process.availableMemory?.() ?? freemem(), total = totalmem()): Finding {
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
