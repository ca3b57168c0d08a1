import type {Job, JobLimits} from '../../../bulk/index.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import type {bulkFlags} from './flags.ts'

/** Rows that are sent at the same time, if nobody says how many. */
export const DEFAULT_CONCURRENCY = 16

type LimitFlags = Partial<
  Pick<FlagValues<typeof bulkFlags>, 'rate' | 'concurrency' | 'max-failures' | 'max-pause'>
>

/** What a command says about how its rows are sent, to be kept with the job; undefined if it says nothing. */
export function limitsIn(flags: LimitFlags): JobLimits | undefined {
  const {rate, concurrency, 'max-failures': maxFailures, 'max-pause': maxPauseMs} = flags
  const limits = {rate, concurrency, maxFailures, maxPauseMs}
  return Object.values(limits).every(value => value === undefined) ? undefined : limits
}

/** A job goes on with the limits that it was started with, unless the command sets others. */
export function withLimits<Flags extends LimitFlags>({settings: {limits}}: Job, flags: Flags): Flags {
  return {
    ...flags,
    rate: flags.rate ?? limits?.rate,
    concurrency: flags.concurrency ?? limits?.concurrency,
    'max-failures': flags['max-failures'] ?? limits?.maxFailures,
    'max-pause': flags['max-pause'] ?? limits?.maxPauseMs,
  }
}

/** The limits in an imported file, or undefined if they are none. */
export function isLimits(value: unknown): value is JobLimits | undefined {
  if (value === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, limit]) =>
    name === 'rate'
      ? typeof limit === 'string'
      : NUMBERS.has(name) && Number.isSafeInteger(limit) && limit > 0,
  )
}

const NUMBERS: ReadonlySet<string> = new Set(['concurrency', 'maxFailures', 'maxPauseMs'])
