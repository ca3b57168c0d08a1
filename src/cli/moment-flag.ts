import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'
import {parseDuration} from './flags.ts'

/** A moment, told once it is known what time it is now: milliseconds since 1970. */
export type Moment = (now: number) => number

const AGE = /^\d+(\.\d+)?(ms|s|m|h|d)$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/i

/** 1h, 7d: so long ago. 2026-06-15, 2026-06-15T14:02 with or without a zone: then; the reader's zone without one. */
export function parseMoment(text: string, what: string): Moment {
  if (AGE.test(text)) {
    const age = parseDuration(text, what)
    return now => now - age
  }
  const at = DATE.test(text)
    ? Date.parse(`${text}T00:00`)
    : DATE_TIME.test(text)
      ? Date.parse(text)
      : Number.NaN
  if (Number.isNaN(at)) {
    throw new Failure('USAGE', {
      message: `${what} takes an age such as 1h or 7d, or a time such as 2026-06-15T14:02.`,
    })
  }
  return () => at
}

export const momentFlag = Flags.custom<Moment>({
  parse: async (input, _context, options) => parseMoment(input, `--${options.name}`),
  helpValue: '1h|TIME',
})
