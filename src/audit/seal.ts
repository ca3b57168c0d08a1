import {createHmac, timingSafeEqual} from 'node:crypto'

/** What a seal stands for: the end of a trail, or the mark of a cut. */
type Purpose = 'head' | 'anchor'

/** HMAC-SHA-256 under the key of the trail, in hex: nobody without the key can make one for other facts. */
export function sealOf(purpose: Purpose, facts: readonly (string | number)[], key: Buffer): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...facts]))
    .digest('hex')
}

/** Whether a seal is the one for these facts. */
export function isSealOf(
  seal: unknown,
  purpose: Purpose,
  facts: readonly (string | number)[],
  key: Buffer,
): boolean {
  if (typeof seal !== 'string') return false
  const expected = Buffer.from(sealOf(purpose, facts, key))
  const given = Buffer.from(seal)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
