// Ways in which a real service's responses differ from the contract. A new line here is a new case for every operation.

/** A reply as it goes over the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * What a command makes of it. `taken`: it is done, and everything that came is printed. `nothing`: it proves nothing.
 * `empty`: done, where no content is due. `shown`: taken, but it doesn't prove that a write was carried out, unless the
 * contract lists the status.
 */
export type Wanted = 'taken' | 'nothing' | 'empty' | 'shown'

export interface Deviation {
  readonly name: string
  readonly wanted: Wanted
  /** Ids are others, so it is no response about the resource that was asked for. */
  readonly isOther?: true
  bend(reply: WireReply): WireReply
}

type Json = null | boolean | number | string | readonly Json[] | {readonly [name: string]: Json}
type Leaf = string | number | boolean

/** Only the body changes, and it is JSON before and after. */
const body = (name: string, change: (value: Json) => Json): Deviation => ({
  name,
  wanted: 'taken',
  bend: reply =>
    reply.text === '' ? reply : {...reply, text: JSON.stringify(change(JSON.parse(reply.text) as Json))},
})

/** Every text, number and boolean of the body, with its field name. */
const leaves = (name: string, change: (leaf: Leaf, name: string) => Json): Deviation =>
  body(name, value => eachLeaf(value, '', change))

function eachLeaf(value: Json, name: string, change: (leaf: Leaf, name: string) => Json): Json {
  if (value === null) return null
  if (Array.isArray(value)) return value.map(item => eachLeaf(item, name, change))
  if (typeof value !== 'object') return change(value as Leaf, name)
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [member, eachLeaf(item, member, change)]),
  )
}

const texts = (name: string, pattern: RegExp, change: (text: string) => Json): Deviation =>
  leaves(name, leaf => (typeof leaf === 'string' && pattern.test(leaf) ? change(leaf) : leaf))

/** Every object that isn't the bare answer of an id or a token. */
const objects = (name: string, change: (members: [string, Json][]) => [string, Json][]): Deviation =>
  body(name, function walk(value: Json): Json {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      change(Object.entries(value).map(([member, item]): [string, Json] => [member, walk(item)])),
    )
  })

const content = (name: string, wanted: Wanted, text: string, type = 'application/json'): Deviation => ({
  name,
  wanted,
  bend: () => ({status: 200, headers: {'content-type': type}, text}),
})

const wire = (name: string, bend: (reply: WireReply) => WireReply): Deviation => ({
  name,
  wanted: 'taken',
  bend,
})

/** Fields that commands need: an id, a token, the items of a list. Everything else may be missing. */
const DUE = new Set(['id', 'requestTraceId', 'token', 'tzpk', 'pinBlock', 'items', 'transfers'])
const DATE = /^\d{4}-\d{2}-\d{2}(?:T|$)/
const MASKED = /^\d{6,8}_+\d{4}$/

export const deviations: readonly Deviation[] = [
  objects('members are missing', members => members.filter(([name]) => DUE.has(name))),
  objects('one member is missing', members => {
    const at = members.findIndex(([name]) => !DUE.has(name))
    return members.filter((_, index) => index !== at)
  }),
  objects('absent values are null', members =>
    members.map(([name, value]) => [name, DUE.has(name) ? value : null]),
  ),
  objects('there are members that nobody knows', members => [
    ...members,
    ['_links', {self: 'x'}],
    ['new', 1],
  ]),
  texts('ids are numbers', /^\d{1,15}$/, Number),
  {
    ...leaves('ids are UUIDs', (leaf, name) =>
      /id$/i.test(name) ? '7f8d7c51-4d4e-4b7e-9a4f-3f4b5a6c7d8e' : leaf,
    ),
    isOther: true,
  },
  leaves('numbers are text', leaf => (typeof leaf === 'number' ? String(leaf) : leaf)),
  leaves('numbers are long', leaf => (typeof leaf === 'number' ? 123456.5 : leaf)),
  leaves('booleans are text', leaf => (typeof leaf === 'boolean' ? String(leaf) : leaf)),
  texts('enums have new values', /^[A-Z][A-Z_]{3,}$/, () => 'SOMETHING_NEW'),
  texts('enums are lower case', /^[A-Z][A-Z_]{3,}$/, text => text.toLowerCase()),
  texts('dates end in Z', DATE, text => `${text.slice(0, 10)}T10:00:00Z`),
  texts('dates have an offset', DATE, text => `${text.slice(0, 10)}T10:00:00+03:00`),
  texts('dates have a space', DATE, text => `${text.slice(0, 10)} 10:00:00`),
  texts('dates are epoch milliseconds', DATE, text => Date.parse(text.slice(0, 10))),
  texts('dates are backwards', DATE, text => text.slice(0, 10).split('-').reverse().join('.')),
  texts('masks have stars', MASKED, text => text.replaceAll('_', '*')),
  texts('masks have an X', MASKED, text => text.replaceAll('_', 'X')),
  texts('countries have two letters', /^[A-Z]{3}$/, text => text.slice(0, 2)),
  texts('texts are empty', /^[A-Z][a-z]+$/, () => ''),
  texts('base64 is base64url', /^[\w+/]{20,}={0,2}$/, text =>
    text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ),
  body('the cursor is null', value =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? {...value, lastEvaluatedKey: null}
      : value,
  ),
  wire('the status is 200', reply => ({...reply, status: 200})),
  wire('the status is 201', reply => ({...reply, status: 201})),
  wire('the status is 203', reply => ({...reply, status: 203})),
  {...wire('the status is 202', reply => ({...reply, status: 202})), wanted: 'shown'},
  {...wire('the status is 206', reply => ({...reply, status: 206})), wanted: 'shown'},
  {...wire('the status is 299', reply => ({...reply, status: 299})), wanted: 'shown'},
  wire('JSON comes as text/plain', reply => ({
    ...reply,
    headers: {...reply.headers, 'content-type': 'text/plain'},
  })),
  wire('JSON comes without a type', ({status, text}) => ({status, headers: {}, text})),
  wire('JSON begins with a byte order mark', reply => ({
    ...reply,
    text: reply.text === '' ? '' : `\ufeff${reply.text}`,
  })),
  wire('JSON is spread over lines', reply => ({
    ...reply,
    text: reply.text === '' ? '' : `\n\n${JSON.stringify(JSON.parse(reply.text), null, 4)}\n`,
  })),
  {name: 'nothing came', wanted: 'empty', bend: () => ({status: 200, headers: {}, text: ''})},
  {name: 'nothing came, with 204', wanted: 'empty', bend: () => ({status: 204, headers: {}, text: ''})},
  content('a login page', 'nothing', '<!doctype html><title>Sign in</title><form>', 'text/html'),
  content('a login page that says it is JSON', 'nothing', '<html><body>Sign in</body></html>'),
  content('an error', 'nothing', '{"error":"rejected"}'),
  content('an error with a code', 'nothing', '{"errorCode":"E-17","errorMessage":"No such thing"}'),
  content('a list of errors', 'nothing', '{"errors":[{"code":"E-17"}]}'),
  content('a failure that says so', 'nothing', '{"success":false,"message":"No"}'),
  content('a failure that says so, in other words', 'nothing', '{"status":"ERROR","message":"No"}'),
  content('a problem', 'nothing', '{"type":"about:blank","title":"Forbidden","status":403}'),
  content(
    'a problem, by its type',
    'nothing',
    '{"title":"Forbidden","detail":"No"}',
    'application/problem+json',
  ),
  content('a text', 'nothing', 'OK', 'text/plain'),
  {
    name: 'half of the JSON',
    wanted: 'nothing',
    bend: reply => ({
      ...reply,
      text: reply.text === '' ? '{"half' : reply.text.slice(0, reply.text.length / 2),
    }),
  },
]
