import {Readable} from 'node:stream'
import type {Surroundings} from '../../src/cli/surroundings.ts'

/** What reading a file of transfers needs of its surroundings, without a terminal. */
export const surroundings = {
  stdin: Readable.from([]),
  signal: new AbortController().signal,
  now: () => new Date('2026-06-01T00:00:00Z'),
  env: {},
} as unknown as Surroundings
