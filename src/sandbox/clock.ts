import type {Transaction} from './store/store.ts'

/** The setting that moves the clock. */
export const CLOCK_OFFSET = 'clock-offset'

/**
 * How far the sandbox clock is ahead of the real one, in ms; negative after the load of an older snapshot. Stored, because
 * processes share it.
 */
export async function clockOffset(tx: Transaction): Promise<number> {
  const value = (await tx.settings.get(CLOCK_OFFSET))?.value
  return typeof value === 'number' ? value : 0
}

/** Now by the sandbox clock, epoch ms. */
export async function sandboxNow({now}: {readonly now: () => number}, tx: Transaction): Promise<number> {
  return now() + (await clockOffset(tx))
}

/** Moves the sandbox clock forward. @returns the new offset in ms. */
export async function advanceClock(tx: Transaction, byMs: number): Promise<number> {
  return setClock(tx, (await clockOffset(tx)) + byMs)
}

/** @returns the offset in ms. */
export async function setClock(tx: Transaction, offset: number): Promise<number> {
  await tx.settings.put({id: CLOCK_OFFSET, value: offset})
  return offset
}

/** RFC 3339 with Z. */
export function instant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

const written = new Map<number, string>()
const MOST_WRITTEN = 1000

/** A date-time without a zone, to the second, in UTC, as the service writes some dates. */
export function localDateTime(epochMs: number): string {
  const known = written.get(epochMs)
  if (known !== undefined) return known
  // Copied: a slice keeps a reference to the whole string, and JSON.stringify takes three times as long with it.
  const text = Buffer.from(new Date(epochMs).toISOString().slice(0, 19)).toString('latin1')
  if (written.size >= MOST_WRITTEN) written.clear()
  written.set(epochMs, text)
  return text
}
