import {plainWord} from '../contract/marked-values.ts'
import {isObject} from '../errors/is-object.ts'
import {maskHeaders} from '../sensitive/mask-request.ts'
import {pagingType} from './paging-setting.ts'
import {formatReference, parseReference, storedReference} from './reference.ts'
import {headerProblem} from './setting-checks.ts'
import {
  checkedText,
  flag,
  list,
  number,
  object,
  oneOf,
  type Raw,
  type Read,
  type Reading,
  setting,
  text,
  type ValueType,
} from './value-types.ts'

const pointer = text(/^(?:\/[^/*]+)+$/, 'must be a JSON pointer such as /data')
/** `*` for every item of a list. */
const anyPointer = text(/^(?:\/[^/]+)+$/, 'must be a JSON pointer such as /error/code or /errors/*/code')

const states = list(text(/^[^,\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters without commas'))

const acceptedMembers = {
  state: setting(pointer, {
    required: true,
    doc: 'the place of the state in a response from the address',
    flag: flag(
      'accepted-state',
      'text',
      'JSON pointer to the state of an accepted request (202).',
      '/status',
    ),
  }),
  done: setting(states, {
    required: true,
    doc: 'states that say that the request was carried out',
    flag: flag(
      'accepted-done',
      'list',
      'State of an accepted request that was carried out. Repeatable.',
      'COMPLETED',
    ),
  }),
  failed: setting(states, {
    required: true,
    doc: 'states that say that it was not, and never will be',
    flag: flag(
      'accepted-failed',
      'list',
      'State of an accepted request that had no effect. Repeatable.',
      'FAILED',
    ),
  }),
  pending: setting(states, {
    doc: 'states in which cardctl asks again; any other, by default',
    flag: flag(
      'accepted-pending',
      'list',
      'State of an accepted request that is not decided. Repeatable.',
      'PENDING',
    ),
  }),
  timeoutMs: setting(number('integer', 1000, 3_600_000), {
    default: 60_000,
    doc: 'how long cardctl asks, in milliseconds',
    flag: flag(
      'accepted-timeout',
      'duration',
      'How long to ask for the state of an accepted request (default 1m).',
    ),
  }),
}

const errorMembers = {
  code: setting(anyPointer, {
    doc: "the service's own code, such as `/error/code` or `/errors/*/code`; known names are found without it",
    flag: flag('error-code', 'text', "JSON pointer to the service's own code in an error.", '/error/code'),
  }),
  message: setting(anyPointer, {
    doc: 'the text for people',
    flag: flag('error-message', 'text', 'JSON pointer to the text of an error.', '/error/message'),
  }),
  field: setting(anyPointer, {
    doc: 'the field that the error is about',
    flag: flag('error-field', 'text', 'JSON pointer to the field that an error is about.', '/errors/*/field'),
  }),
  status: setting(pointer, {
    doc: "the status of the response, which errors of the service repeat. With `code`, it tells the service's errors from those of a gateway ([What proves that nothing happened](idempotency.md#what-proves-that-nothing-happened))",
    flag: flag('error-status', 'text', 'JSON pointer to the status that an error repeats.', '/error/status'),
  }),
}

/** Documents, by the dotted names of the settings that `contract map` read in them. */
const foundType: ValueType<Readonly<Record<string, string>>> = {
  schema: {type: 'object', additionalProperties: {type: 'string'}},
  read: (value, at) =>
    isObject(value) && Object.values(value).every(name => typeof name === 'string')
      ? (value as Readonly<Record<string, string>>)
      : at.report('must be an object of texts'),
}

/** The place of the audit user, as stored. */
export interface AuditUserPlace {
  readonly in: 'query' | 'header' | 'none'
  readonly name: string
}

/** `query:NAME`, `header:NAME` or `none`; undefined if it is where the contract has it. */
export function auditUserPlace(text = 'query'): AuditUserPlace | undefined {
  const [place, name = ''] = text.split(':', 2)
  if (place === 'none') return {in: 'none', name}
  if (name === '') return undefined
  return {in: place === 'header' ? 'header' : 'query', name}
}

const auditUserType = checkedText(
  (value, entry) => {
    if (/^(?:query(?::[A-Za-z][\w.-]{0,63})?|none)$/.test(value)) return {value}
    const [place, name = ''] = value.split(':', 2)
    if (place !== 'header') return {problem: 'must be query, query:NAME, header:NAME or none'}
    const problem = headerProblem(name, entry)
    return problem === undefined ? {value} : {problem}
  },
  {pattern: '^(query|none|query:.+|header:.+)$'},
)

/** The value of a header as stored: text, or a reference to a secret. */
const headerValue: ValueType<string> = {
  ...checkedText(value => {
    if (/^(?:env|file|cmd):/.test(value))
      return storedReference(value)
        ? {value}
        : {problem: 'is not a reference: env:NAME, file:/PATH or cmd:COMMAND'}
    return /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/.test(value)
      ? {value}
      : {problem: 'must be printable ASCII, without a space at an end'}
  }),
  store: (given, place) =>
    /^(?:env|file|cmd):/.test(given) ? formatReference(parseReference(given, place)) : given,
}

/** Headers of every request, by name. */
const headersType: ValueType<Readonly<Record<string, string>>> = {
  schema: {type: 'object', additionalProperties: headerValue.schema},
  item: headerValue,
  read(value, at) {
    if (!isObject(value)) return at.report('must be an object')
    const found: [string, string][] = []
    for (const [name, given] of Object.entries(value)) {
      const inner = at.inside(name)
      const problem = headerProblem(name, at.entry) ?? sameAs(name, at.entry, found)
      const text = problem === undefined ? headerValue.read(given, inner) : inner.report(problem)
      if (text === undefined) continue
      const isPlain = storedReference(text) === undefined
      if (isPlain && maskHeaders({[name]: text})[name] !== text)
        inner.report('may hold a secret, so it must be a reference: env:NAME, file:PATH or cmd:COMMAND')
      else found.push([name, text])
    }
    return Object.fromEntries(found)
  },
}

function sameAs(name: string, {service}: Raw, before: readonly [string, string][]): string | undefined {
  const lower = name.toLowerCase()
  if (before.some(([other]) => other.toLowerCase() === lower)) return 'is given twice'
  if (/^X?AUDITUSER$/.test(plainWord(name))) return 'carries the audit user: see auditUser'
  const place = isObject(service) && typeof service.auditUser === 'string' ? service.auditUser : ''
  return place.toLowerCase() === `header:${lower}` ? 'carries the audit user' : undefined
}

const members = {
  headers: setting(headersType, {
    doc: 'headers of every request, such as an API version or a tenant: text, or for a secret a reference; they go only where the credentials go',
    flag: flag(
      'header',
      'pairs',
      'Header of every request; a reference if its value is secret. Repeatable.',
      'NAME=VALUE|env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
  auditUser: setting(auditUserType, {
    doc: 'where requests name the audit user: `query` (as the contract has it), `query:NAME`, `header:NAME`, or `none`: then the journal alone has it. With a name, every request has it there',
    flag: flag(
      'audit-user-in',
      'text',
      'Where requests name the audit user.',
      'query|query:NAME|header:NAME|none',
    ),
  }),
  envelope: setting(pointer, {
    doc: 'where responses to built-in commands have their content: a JSON pointer such as `/data`',
    flag: flag('envelope', 'text', 'JSON pointer to the content of responses to built-in commands.', '/data'),
  }),
  accepted: setting(object(acceptedMembers, checkStates), {
    doc: 'how the address is read that a response 202 names in `Location`: what became of a write ([Accepted requests](idempotency.md#accepted-requests))',
  }),
  arrays: setting(oneOf(['repeat', 'brackets']), {
    doc: 'how lists are written in the query of imported operations where their document does not say: `expand=a` (`repeat`) or `expand[]=a` (`brackets`)',
    flag: flag('array-style', 'choice', 'How lists are written in queries: expand=a, or expand[]=a.'),
  }),
  paging: setting(pagingType, {
    doc: 'how the pages of a list follow each other, by operation, where the contract or its document does not say or is wrong: the parameter (`cursor`, `page` or `offset`, and `size`), and where a response leads on (`next`: a cursor or a link) or says whether there is `more`, as `cursor=after,next=/meta/next`',
    flag: flag(
      'paging',
      'pairs',
      'How the pages of a list follow each other. Repeatable.',
      'x:shop/orders/list=cursor=after,next=/meta/next',
    ),
  }),
  found: setting(foundType, {
    doc: 'which settings, words and prefixes `contract map` found, and in which document; those that you set are not in it',
  }),
  error: setting(object(errorMembers), {doc: 'where errors have their parts: JSON pointers'}),
}

/** A state says one thing. */
function checkStates({done, failed, pending}: Raw, at: Reading): void {
  const all = [done, failed, pending].flatMap(states => (Array.isArray(states) ? states : []))
  const words = all.map(state => String(state).toLowerCase())
  if (new Set(words).size < words.length) at.report('has a state twice')
}

/** How the service talks, where neither the contract nor a document says so. */
export const serviceSetting = setting(object(members), {
  guarded: 'always',
  doc: 'how the service talks where it differs from the contract ([How your service talks](#how-your-service-talks))',
})

/** How the service talks, as stored. */
export type StoredService = Read<typeof members>
