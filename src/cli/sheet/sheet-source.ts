import {Failure} from '../../errors/failure.ts'
import type {Encoding} from '../../rows/dialect.ts'
import type {Prompter} from '../question.ts'
import type {KeptMapping} from './mappings-file.ts'

/** What the user says of a spreadsheet. */
export interface SheetFlags {
  /** `Column=field`, repeatable; the field `none` for a column that isn't used. */
  readonly map?: readonly string[] | undefined
  /** `field=value` for rows that have none. */
  readonly fill?: readonly string[] | undefined
  readonly sheet?: string | undefined
  readonly 'hidden-rows'?: 'send' | 'skip' | undefined
  /** What to do with rows that say of themselves that they are not to be sent. */
  readonly 'marked-rows'?: 'send' | 'skip' | undefined
  /** What to do with rows of another type than the job has. */
  readonly 'other-types'?: 'skip' | undefined
  /** The name of a kept mapping. */
  readonly mapping?: string | undefined
  /** The name to keep this one under. */
  readonly 'save-mapping'?: string | undefined
}

export interface SheetSource extends SheetFlags {
  /** The kept mapping that is used, without what a flag says otherwise. */
  readonly kept?: KeptMapping | undefined
  readonly source: string
  readonly encoding?: Encoding | undefined
  readonly finalNewline: boolean
  /** ISO date of the user. */
  readonly today: string
  /** Asks a person, if there is one. */
  readonly prompter?: Prompter | undefined
  /** Told of each answer, as the flag that gives it. */
  readonly answered?: ((flag: string, value: string) => void) | undefined
}

/** `name=value` pairs of a flag, for fields that are known. @throws Failure USAGE */
export function parsePairs(
  flag: '--map' | '--fill',
  texts: readonly string[] = [],
  allowed: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    texts.map(text => {
      const at = text.lastIndexOf('=')
      const [name, value] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
      const field = (flag === '--map' ? value : name).replace(/^(from|to)AccountId$/, '$1')
      if (name === '' || value === '' || !allowed.includes(field)) {
        const form =
          flag === '--map'
            ? 'COLUMN=FIELD, e.g. --map "Betrag=amount"'
            : 'FIELD=VALUE, e.g. --fill currency=EUR'
        throw new Failure('USAGE', {
          message: `${flag} takes ${form}. Fields: ${allowed.join(', ')}.`,
          effect: 'none',
        })
      }
      return flag === '--map' ? [name, field] : [field, value]
    }),
  )
}

const SHEET_FLAGS = [
  'map',
  'fill',
  'sheet',
  'hidden-rows',
  'marked-rows',
  'other-types',
  'mapping',
  'save-mapping',
] as const

/** What is said of a spreadsheet has no effect without one. @throws Failure USAGE */
export function refuseSheetFlags(flags: SheetFlags, why: string): void {
  const given = SHEET_FLAGS.filter(name => flags[name] !== undefined)
  if (given.length === 0) return
  throw new Failure('USAGE', {
    message: `${given.map(name => `--${name}`).join(' and ')} ${given.length === 1 ? 'needs' : 'need'} a spreadsheet: ${why}.`,
    hint: 'Leave them out, or name a CSV, TSV or XLSX file with --from.',
    effect: 'none',
  })
}
