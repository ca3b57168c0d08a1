import type {JsonSchema} from '../contract/json-schema.ts'
import {errorRegistry, exitOf} from '../errors/registry.ts'

interface Described extends JsonSchema {
  readonly description: string
}

const text = (description: string): Described => ({type: 'string', description})
const count = (description: string): Described => ({type: 'integer', minimum: 0, description})
const list = (description: string): Described => ({type: 'array', items: {type: 'object'}, description})

/** The facts of `data`, by name. Which of them there are depends on the code; a code may have others too. */
const DATA = {
  problems: {
    type: 'array',
    items: {
      type: 'object',
      required: ['message'],
      properties: {
        row: {type: 'integer'},
        line: {type: 'integer'},
        column: {type: 'string'},
        message: {type: 'string'},
        value: {type: 'string'},
      },
    },
    description: 'Bad rows of a file, the first 50, or bad settings of a profile.',
  },
  groups: {
    type: 'array',
    items: {
      type: 'object',
      required: ['message', 'count', 'rows', 'lines', 'values'],
      properties: {
        column: {type: 'string'},
        message: {type: 'string'},
        count: {type: 'integer'},
        rows: {type: 'array', items: {type: 'integer'}},
        lines: {type: 'array', items: {type: 'integer'}},
        values: {type: 'array', items: {type: 'string'}},
      },
    },
    description:
      'The bad rows of a file by what is wrong with them. Lists the first 10,000 rows of each, and the first 20 different values that are amounts.',
  },
  source: text('The file with the bad rows.'),
  count: count('Number of faults in all.'),
  rows: count('Number of bad rows, or of rows, in all.'),
  violations: {
    type: 'array',
    items: {
      type: 'object',
      required: ['pointer', 'message'],
      properties: {pointer: {type: 'string'}, message: {type: 'string'}},
    },
    description: 'Where the input differs from the contract.',
  },
  differences: list('Where responses differ from the contract, and how many do (`--strict`).'),
  attempts: count('Number of times that the request was sent, if more than once.'),
  job: text('Id of the bulk job.'),
  reasons: list(
    'The five most frequent reasons why rows are not done: `code`, `status`, `blame`, `count`, and in `example` the `row`, `line`, `message` and `request` of the first one.',
  ),
  next: text('The command to run next.'),
  nextWhen: text('The condition for that command, for people, such as `when the disk has room`.'),
  nextAfter: text('The time before which that command is of no use (ISO 8601).'),
  paused: {type: 'object', description: 'The pause that the service asked for: `until`, `since`, `why`.'},
  earlier: list('The requests that sent the same transfers before: `request`, `batch`, `state`.'),
  failed: {description: 'The transfers or checks that failed; the number of rows for a bulk job.'},
  lookedIn: list('Where `find` looked, and with what result.'),
  complete: {const: false, description: 'The list on stdout is not whole.'},
  reason: text('Why the list is not whole, as in a note.'),
  shown: count('How many items of the list are on stdout.'),
} satisfies Readonly<Record<string, Described>>

const FIELDS = {
  code: {
    type: 'string',
    enum: Object.keys(errorRegistry),
    description: 'The stable code, as in the table of exit codes.',
  },
  message: text('What happened, in one sentence. The wording may change.'),
  hint: text('What to do. The wording may change.'),
  commands: {
    type: 'array',
    items: {
      type: 'object',
      required: ['argv', 'effect'],
      properties: {
        argv: {type: 'array', items: {type: 'string'}},
        effect: {enum: ['read', 'write', 'local']},
      },
    },
    description:
      'The commands that the hint names: `argv` has the arguments of cardctl, where a word in capitals is for you to fill in. `effect` is `read`, `write` if it may change or disclose something at the service or an endpoint, or `local` if it only changes something on this machine.',
  },
  effect: {
    type: 'string',
    enum: ['none', 'done', 'unknown'],
    description:
      'Whether the request had an effect at the service. For a command that sends several: `unknown` if the effect of any of them is, else `done` if any had one.',
  },
  status: {
    type: 'integer',
    minimum: 100,
    maximum: 599,
    description: 'HTTP status of the response, if there was one.',
  },
  requestId: text('Id of the request in the journal, for `requests show` and `requests resolve`.'),
  idempotencyKey: text('Idempotency key of the request.'),
  repeatable: {
    type: 'boolean',
    description: '`true` if it is safe to send the same request again with the same key.',
  },
  retryAfter: {
    type: 'integer',
    minimum: 0,
    description: 'How long the service asks to wait before the next request, in seconds.',
  },
  problem: {
    type: 'object',
    description: "The service's problem document or other JSON that explains the error, with secrets masked.",
  },
  data: {
    type: 'object',
    properties: DATA,
    additionalProperties: true,
    description: 'More facts, depending on the code.',
  },
} satisfies Readonly<Record<string, Described>>

/** A field of an error in JSON. */
export type ErrorField = keyof typeof FIELDS

/** The fields of an error in JSON, and those of its `data`, with their meanings. */
export const errorFields: Readonly<Record<ErrorField, Described>> = FIELDS
export const errorData: Readonly<Record<string, Described>> = DATA

/** One line on stderr: `{"error": {…}}`. */
export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint', 'effect'] satisfies ErrorField[],
      properties: errorFields,
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

const said = (kind: 'warning' | 'note'): JsonSchema => ({
  type: 'object',
  required: [kind],
  properties: {
    [kind]: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: text('A stable code.'),
        message: text('For people. The wording may change.'),
        requestId: text('Id of the request in the journal.'),
        idempotencyKey: text('Idempotency key of the request.'),
        job: text('Id of the bulk job.'),
        complete: {type: 'boolean', description: 'Whether the list on stdout is whole.'},
        reason: text(
          `Why it is not: \`LIMIT\`, \`FIRST_PAGE\`, or with exit code ${exitOf('LIST_INCOMPLETE')} or a failure \`NEXT_UNKNOWN\`, \`OTHER_ORIGIN\`, \`OTHER_PATH\`, \`MAX_PAGES\`, \`TOTAL_PASSED\`, \`TOTAL_MISSED\`, \`REPEATED\`, \`FAILED\`.`,
        ),
        shown: count('How many items of the list are on stdout.'),
        rows: count('Number of rows of the bulk job.'),
        left: count('Number of rows that are still to be sent.'),
        replayed: {
          enum: [true, 'unknown'],
          description: 'The response is a stored one, so nothing was changed now.',
        },
        earlier: text('Id of the request whose response was stored.'),
      },
      additionalProperties: true,
    },
  },
  additionalProperties: false,
})

/** One line on stderr: `{"warning": {…}}`, `{"note": {…}}`. */
export const warningSchema = said('warning')
export const noteSchema = said('note')
