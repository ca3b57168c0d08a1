import {Failure} from '../errors/failure.ts'
import {digest} from './audit-entry.ts'

/** One line of a trail, named so that it can be looked for later. */
export interface Anchor {
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly at: string
  readonly hash: string
}

const CHECK_DIGITS = 8
const SHAPE = /^(\d{1,15})\.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)\.([0-9a-f]{64})\.([0-9a-f]{8})$/

/**
 * An anchor as one word, to be kept where whoever can write the trail can't: a ticket, a mail, another machine. Its
 * last digits are a checksum, so that a slip in copying is no alarm.
 */
export function formatAnchor({seq, at, hash}: Anchor): string {
  const text = `${seq}.${at}.${hash}`
  return `${text}.${checkDigits(text)}`
}

/** @throws Failure USAGE for what isn't an anchor as it was printed. */
export function parseAnchor(value: string): Anchor {
  const [, seq, at, hash, digits] = SHAPE.exec(value.trim()) ?? []
  if (
    seq === undefined ||
    at === undefined ||
    hash === undefined ||
    digits !== checkDigits(`${seq}.${at}.${hash}`)
  ) {
    throw new Failure('USAGE', {
      message: 'The value did not come from audit anchor, or it is incomplete.',
      hint: 'Copy the value again, from its first digit to its last.',
    })
  }
  return {seq: Number(seq), at, hash}
}

const checkDigits = (text: string): string => digest(text).slice(0, CHECK_DIGITS)
