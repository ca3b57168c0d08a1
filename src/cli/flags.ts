import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'

const UNITS = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** 250ms, 30s, 5m, 24h, 7d, in milliseconds. A number without a unit could be seconds as well as milliseconds. */
export function parseDuration(text: string, what = 'the duration'): number {
  const given = text.trim()
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(given) ?? []
  if (number !== undefined && unit === undefined && Number(number) !== 0) {
    throw new Failure('USAGE', {message: `${what} needs a unit: ${given}s, or ${given}ms.`})
  }
  const ms = Math.round(Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS])
  if (!Number.isSafeInteger(ms)) {
    throw new Failure('USAGE', {message: `${what} must be a number with ms, s, m, h or d, for example 30s.`})
  }
  return ms
}

export const durationFlag = Flags.custom<number>({
  parse: async (input, _context, options) => parseDuration(input, `--${options.name}`),
  helpValue: '30s',
  // In help the summary names the default: milliseconds say little.
  defaultHelp: async () => undefined,
})

const GLOBAL = 'GLOBAL'
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

/** On every command. */
export const globalFlags = {
  profile: Flags.string({char: 'p', helpGroup: GLOBAL, summary: 'The profile to use; see profiles list.'}),
  output: Flags.option({
    options: OUTPUT_FORMATS,
    char: 'o',
    helpGroup: GLOBAL,
    summary: 'How results are printed.',
  })(),
  json: Flags.boolean({helpGroup: GLOBAL, summary: 'The same as -o json.', exclusive: ['output']}),
  query: Flags.string({helpGroup: GLOBAL, summary: 'Choose parts of the result with a JMESPath expression.'}),
  columns: Flags.string({
    helpGroup: GLOBAL,
    summary: 'The columns of a table or CSV: names, dotted, by comma.',
  }),
  'no-header': Flags.boolean({helpGroup: GLOBAL, summary: 'Leave out the header line of a table or CSV.'}),
  'csv-safe': Flags.boolean({helpGroup: GLOBAL, summary: 'Quote what a spreadsheet would run as a formula.'}),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: GLOBAL,
    summary: 'No notes on stderr; errors and results only.',
  }),
  yes: Flags.boolean({
    char: 'y',
    helpGroup: GLOBAL,
    summary:
      "Answer yes to confirmations, but never to values that can't be undone, nor on live profiles to anything that destroys.",
  }),
  'no-input': Flags.boolean({helpGroup: GLOBAL, summary: 'Never ask; what is missing is an error.'}),
  timeout: durationFlag({
    helpGroup: GLOBAL,
    summary: 'Total time for the answer, retries included (default 30s).',
  }),
  debug: Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Show requests, retries and stack traces on stderr, masked.',
  }),
  'no-color': Flags.boolean({helpGroup: GLOBAL, summary: 'No colours.'}),
  // Read before anything is parsed: see refuse-card-numbers.ts.
  'not-a-card-number': Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Let a number through that looks like a card number, such as a reference.',
  }),
}

/** On every command that sends an operation. */
export const operationFlags = {
  'dry-run': Flags.boolean({
    summary: 'Print the request as JSON, with secrets masked, and send nothing.',
    exclusive: ['curl'],
  }),
  curl: Flags.boolean({summary: 'Print the request as a curl command and send nothing.'}),
  'audit-user': Flags.string({summary: 'Who acts, as the service logs it; else the profile says.'}),
  'no-check-input': Flags.boolean({
    summary: 'Send input that the contract does not know.',
  }),
  strict: Flags.boolean({
    allowNo: true,
    summary: 'Exit 8 if an answer differs from the contract; it is still printed.',
  }),
}

/** On commands whose request has a body. */
export const bodyFlags = {
  field: Flags.string({
    char: 'F',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=value',
    summary: 'Set a member, typed by the contract; repeatable.',
  }),
  'raw-field': Flags.string({
    char: 'f',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'path=text',
    summary: 'Set a member to a string; repeatable.',
  }),
  data: Flags.string({
    helpValue: 'JSON|@file|-',
    summary: 'The body as JSON, from a file or stdin; fields win over it.',
  }),
  skeleton: Flags.boolean({summary: 'Print a body to fill in, and send nothing.'}),
}

/** On commands that change something at the service. */
export const changeFlag = {
  'show-change': Flags.boolean({
    summary: 'Show what was there before and after, where the service offers a read of it.',
  }),
}

/** On commands that write at the service. */
export const writeFlags = {
  ...changeFlag,
  'idempotency-key': Flags.string({
    summary: 'The key to send; else one is generated (at most 64 characters).',
  }),
}

/** On commands that destroy something, or can set what can never be changed back. */
export const confirmFlags = {
  confirm: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary: "Confirm an id that is destroyed, or a value that can't be undone, by its name; repeatable.",
  }),
}

/** On lists. */
export const pagingFlags = {
  all: Flags.boolean({summary: 'Every page.', exclusive: ['limit']}),
  limit: Flags.integer({min: 1, summary: 'Maximum number of results. Fetches as many pages as needed.'}),
  'page-size': Flags.integer({min: 1, summary: 'Number of results per request.'}),
}

/** Flags of a command for members of the body that people set most, each with the path of its member. */
type MemberPaths = Readonly<Record<string, string>>

interface FieldFlags {
  readonly field?: readonly string[] | undefined
}

/**
 * `--credit-limit 5000` means `-F creditLimit=5000`: typed and checked by the contract in the same way. A flag wins over
 * a field of the same member.
 */
export function withMembers<Flags extends FieldFlags>(flags: Flags, members: MemberPaths): Flags {
  const given = new Map<string, unknown>(Object.entries(flags))
  const fields = Object.entries(members)
    .filter(([flag]) => given.get(flag) !== undefined)
    .map(([flag, path]) => `${path}=${given.get(flag)}`)
  return fields.length === 0 ? flags : {...flags, field: [...(flags.field ?? []), ...fields]}
}
