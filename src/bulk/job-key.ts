import {hash} from 'node:crypto'
import {canonicalJson} from '../journal/index.ts'

/** In Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The id of the job of a job key, so that a journal has at most one. It begins with K, which no id made from a time
 * does.
 */
export function keyedJobId(jobKey: string): string {
  const digest = hash('sha256', canonicalJson(['cardctl job', jobKey]), 'buffer')
  return `j_K${[...digest.subarray(0, 25)].map(byte => DIGITS[byte % 32]).join('')}`
}

/**
 * The idempotency key of a row of a job with a key. It depends only on the job key, the number of the row and its
 * values, so it is the same on every machine. Never change it: rows would be sent a second time.
 *
 * @returns a UUID of version 8 (RFC 9562), from the SHA-256 of `["cardctl row",KEY,ROW,VALUES]` in canonical JSON.
 */
export function keyedRowKey(jobKey: string, row: number, values: Readonly<Record<string, unknown>>): string {
  const digest = hash('sha256', canonicalJson(['cardctl row', jobKey, row, values]), 'buffer')
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
