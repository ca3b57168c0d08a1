import {errnoOf} from './system-reason.ts'

/** Linux reports EIO for a terminal whose window was closed; other systems may report ENXIO. */
const CODES: readonly unknown[] = ['EIO', 'ENXIO']

/** Whether reading from or writing to a stream failed because it is a terminal that is gone. */
export const isLostTerminal = (stream: object, error: unknown): boolean =>
  'isTTY' in stream && stream.isTTY === true && CODES.includes(errnoOf(error))
