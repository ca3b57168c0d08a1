import * as Flags from '@oclif/core/flags'
import type {FlagInput, InferredFlags} from '@oclif/core/interfaces'
import {Failure} from '../errors/failure.ts'
import {readDuration} from '../limits/duration.ts'
import type {Decimal} from '../money/decimal-sign.ts'
import {CALLER_KINDS} from './caller.ts'

/** What `parse` returns for flags, as a parameter of functions that take only some of them. */
export type FlagValues<Definitions extends FlagInput> = Readonly<Omit<InferredFlags<Definitions>, 'json'>>

/** The same, but each may be absent. */
export type SomeFlagValues<Definitions extends FlagInput> = Readonly<{
  [Name in keyof FlagValues<Definitions>]?: FlagValues<Definitions>[Name] | undefined
}>

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const
const DAY_MS = 86_400_000

/** As it would be typed: `10m`, `24h`, `90d`. Summaries name the defaults that run by it. */
export function typedDuration(ms: number): string {
  if (ms >= 2 * DAY_MS && ms % DAY_MS === 0) return `${ms / DAY_MS}d`
  const [size, name] = UNITS.find(([each]) => ms >= each && ms % each === 0) ?? [1, 'ms']
  return `${ms / size}${name}`
}

/**
 * 250ms, 30s, 5m, 24h, 7d, in milliseconds. A number without a unit could mean seconds or milliseconds, so it is
 * refused.
 */
export function parseDuration(text: string, what = 'the duration'): number {
  const given = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(given)) {
    if (Number(given) === 0) return 0
    throw new Failure('USAGE', {message: `${what} needs a unit: ${given}s, or ${given}ms.`})
  }
  const ms = readDuration(given)
  if (ms !== undefined) return ms
  throw new Failure('USAGE', {message: `${what} must be a number with ms, s, m, h or d, for example 30s.`})
}

export const durationFlag = Flags.custom<number>({
  parse: async (input, _context, options) => parseDuration(input, `--${options.name}`),
  helpValue: '30s',
  // In help the summary names the default: nobody reads milliseconds.
  defaultHelp: async () => undefined,
})

/** A whole number, from `min` to `max` if they are given. */
export const integerFlag = Flags.custom<number, {min?: number; max?: number}>({
  parse: async (input, _context, {name, min = -Infinity, max = Infinity}) => {
    const number = Number(input)
    if (/^-?\d{1,15}$/.test(input) && number >= min && number <= max) return number
    const range = max === Infinity ? `, ${min} or more` : ` from ${min} to ${max}`
    throw new Failure('USAGE', {
      message: `--${name} must be a whole number${min === -Infinity ? '' : range}.`,
    })
  },
})

/** Groups of flags in help. Flags of a command's own have no group. */
const GLOBAL = 'GLOBAL'
const REQUEST = 'REQUEST'
const BODY = 'BODY'
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

/** On every command. */
export const globalFlags = {
  profile: Flags.string({char: 'p', helpGroup: GLOBAL, summary: 'Profile to use. See profiles list.'}),
  output: Flags.option({
    options: OUTPUT_FORMATS,
    char: 'o',
    helpGroup: GLOBAL,
    summary: 'Format of the result.',
  })(),
  json: Flags.boolean({helpGroup: GLOBAL, summary: 'Same as -o json.', exclusive: ['output']}),
  query: Flags.string({helpGroup: GLOBAL, summary: 'JMESPath expression that selects parts of the result.'}),
  columns: Flags.string({
    helpGroup: GLOBAL,
    summary: 'Fields to show in a table or CSV, comma-separated. Use dots for nested fields.',
  }),
  'no-header': Flags.boolean({helpGroup: GLOBAL, summary: 'Omit the header row of tables and CSV.'}),
  'csv-safe': Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Put an apostrophe before text that a spreadsheet would run as a formula.',
  }),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: GLOBAL,
    summary: 'Hide notes and progress. Warnings and errors stay.',
  }),
  yes: Flags.boolean({
    char: 'y',
    helpGroup: GLOBAL,
    summary:
      'Answer yes to confirmations. Does not confirm irreversible values, or deletions on live profiles.',
  }),
  interactive: Flags.boolean({
    char: 'i',
    helpGroup: GLOBAL,
    summary: 'Ask for the values of the command, and what else to set. Needs a terminal.',
    exclusive: ['no-input'],
  }),
  as: Flags.option({
    options: CALLER_KINDS,
    helpGroup: GLOBAL,
    summary: 'Who runs the command, for records. An agent sends no writes to live profiles.',
  })(),
  'no-input': Flags.boolean({helpGroup: GLOBAL, summary: 'Never prompt. A missing value is an error.'}),
  timeout: durationFlag({
    helpGroup: GLOBAL,
    summary: 'Time limit for a response, including retries (default 30s).',
  }),
  retries: integerFlag({
    helpGroup: GLOBAL,
    min: 0,
    max: 100,
    helpValue: 'N',
    summary:
      'How often to send again after a failure that allows it, within --timeout (default 4). 0 sends once.',
  }),
  debug: Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Log requests, retries and stack traces to stderr, masked.',
  }),
  'log-format': Flags.option({
    options: ['text', 'json'] as const,
    helpGroup: GLOBAL,
    summary: 'Format of all lines on stderr. With json, each is an object with time, level and message.',
  })(),
  'no-color': Flags.boolean({helpGroup: GLOBAL, summary: 'Disable colours.'}),
  // Read before anything is parsed: see refuse-card-numbers.ts.
  'not-a-card-number': Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Accept a number that looks like a card number, for example a reference.',
  }),
}

/** On every command that sends an operation. */
export const operationFlags = {
  'dry-run': Flags.boolean({
    helpGroup: REQUEST,
    summary: 'Print the request as JSON, with secrets masked, without sending it.',
    exclusive: ['curl'],
  }),
  curl: Flags.boolean({
    helpGroup: REQUEST,
    summary: 'Print the request as a curl command without sending it.',
  }),
  'audit-user': Flags.string({
    helpGroup: REQUEST,
    summary: 'Audit user that the service logs. Overrides the profile.',
  }),
  'no-check-input': Flags.boolean({
    helpGroup: REQUEST,
    summary: "Send input although cardctl's check refuses it.",
  }),
  strict: Flags.boolean({
    helpGroup: REQUEST,
    allowNo: true,
    summary: 'Exit 8 if a response differs from the contract. The response is still printed.',
  }),
}

/** On every command that sends a write. */
export const proposeFlags = {
  propose: Flags.boolean({
    helpGroup: REQUEST,
    summary: 'Do not send it, but propose it to a second person. See requests approve.',
    exclusive: ['dry-run', 'curl'],
  }),
  plan: Flags.string({
    helpGroup: REQUEST,
    helpValue: 'FILE',
    summary: 'Do not send it, but write it to a plan, a new file. See apply.',
    exclusive: ['propose', 'dry-run', 'curl'],
  }),
}

/** The longest note and ticket, in characters. */
const PURPOSE_LENGTHS = {note: 500, ticket: 100} as const

/** What is wrong with a note or a ticket, as the end of a sentence. Card numbers are found by who reads the text. */
export function purposeProblem(name: keyof typeof PURPOSE_LENGTHS, text: string): string | undefined {
  const most = PURPOSE_LENGTHS[name]
  if (text.trim() === '') return 'is empty'
  if ([...text].length > most) return `has more than ${most} characters`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? 'has a line break or another control character' : undefined
}

const purposeFlag = Flags.custom<string>({
  parse: async (text, _, {name}) => {
    const problem = purposeProblem(name === 'ticket' ? name : 'note', text)
    if (problem !== undefined) throw new Failure('USAGE', {message: `--${name} ${problem}.`})
    return text.trim()
  },
})

/** On every command that sends what is recorded, or removes records. */
export const clockFlag = {
  'clock-is-right': Flags.boolean({
    helpGroup: BODY,
    summary: 'Trust the clock of this machine, although it may have jumped since the last request.',
  }),
}

/** On every command that sends what is recorded: writes and disclosures. */
export const purposeFlags = {
  ...clockFlag,
  note: purposeFlag({
    helpGroup: BODY,
    helpValue: 'TEXT',
    summary: 'Why you do it, for requests list and the audit trail. Not sent to the service.',
  }),
  ticket: purposeFlag({
    helpGroup: BODY,
    helpValue: 'ID',
    summary: 'Ticket that it is done for, for requests list and the audit trail. Not sent to the service.',
  }),
}

/** On commands that only read. */
export const watchFlags = {
  watch: durationFlag({
    helpValue: '2s',
    exclusive: ['dry-run', 'curl'],
    summary:
      'Repeat the read after this time (default 2s), and mark what changed with *. Ctrl-C ends it with exit code 0.',
  }),
}

/** On commands that take amounts. */
export const decimalFlag = {
  decimal: Flags.option({
    options: ['point', 'comma'] as const satisfies readonly Decimal[],
    helpGroup: BODY,
    summary: 'Sign before decimals. Settles numbers such as 6.000 and 6,000.',
  })(),
}

/** On commands whose request has a body. */
export const bodyFlags = {
  field: Flags.string({
    helpGroup: BODY,
    char: 'F',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=value',
    summary: 'Set a field of the request, for example creditLimit=5000. Repeatable.',
  }),
  'raw-field': Flags.string({
    helpGroup: BODY,
    char: 'f',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=text',
    summary: 'Set a field of the body to a string. Repeatable.',
  }),
  data: Flags.string({
    helpGroup: BODY,
    helpValue: 'JSON|@file|-',
    summary: 'Body as JSON, from a file or from stdin. --field and --raw-field override it.',
  }),
  ...decimalFlag,
  skeleton: Flags.boolean({helpGroup: BODY, summary: 'Print a body to fill in, without sending it.'}),
}

/** On commands that change something at the service. */
export const changeFlag = {
  'show-change': Flags.boolean({
    helpGroup: BODY,
    summary: 'Show the values before and after the change, if the service offers a read.',
  }),
}

/** On commands that write at the service. */
export const writeFlags = {
  ...changeFlag,
  'idempotency-key': Flags.string({
    helpGroup: BODY,
    summary: 'Idempotency key to send, at most 64 characters (default: a new one).',
  }),
}

/** On commands that send transfers. */
export const serviceCheckFlag = {
  'service-check': Flags.boolean({
    allowNo: true,
    summary:
      'Ask the service first whether its batches of the last 7 days have sent the transfers (default: the profile).',
  }),
}

/** On commands that destroy something, or can set what can never be changed back. */
export const confirmFlags = {
  confirm: Flags.string({
    helpGroup: BODY,
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary: 'Confirm a deletion by its id, or an irreversible value by its name. Repeatable.',
  }),
}

export const allowV2Flags = {
  'allow-v2': Flags.boolean({
    summary: 'Allow PIN operations of v2, whose RSA has no padding, on a live profile.',
  }),
}

/** On what reads all pages. */
export const maxPagesFlag = {
  'max-pages': integerFlag({
    min: 1,
    summary: 'Maximum number of pages (default 1000, if the service announces no end).',
  }),
}

/** On lists. */
export const pagingFlags = {
  all: Flags.boolean({summary: 'Fetch all pages.', exclusive: ['limit']}),
  limit: integerFlag({min: 1, summary: 'Maximum number of results. Fetches as many pages as needed.'}),
  'page-size': integerFlag({min: 1, summary: 'Number of results per request.'}),
  ...maxPagesFlag,
}

/** Flags for the most common fields of the body, each with the path of its field. */
type MemberPaths = Readonly<Record<string, string>>

/** The same for questions: `--credit-limit` sets `creditLimit`. */
export const flagFields = (members: MemberPaths): MemberPaths =>
  Object.fromEntries(Object.entries(members).map(([flag, path]) => [`--${flag}`, path]))

type FieldFlags = SomeFlagValues<Pick<typeof bodyFlags, 'field'>>

/**
 * `--credit-limit 5000` means `-F creditLimit=5000`: typed and checked by the contract in the same way. A flag
 * overrides `-F` for the same field.
 */
export function withFields<Flags extends FieldFlags>(flags: Flags, members: MemberPaths): Flags {
  const given = new Map<string, unknown>(Object.entries(flags))
  const fields = Object.entries(members)
    .filter(([flag]) => given.get(flag) !== undefined)
    .map(([flag, path]) => `${path}=${given.get(flag)}`)
  return fields.length === 0 ? flags : {...flags, field: [...(flags.field ?? []), ...fields]}
}
