// What CHANGELOG.md promises, as one line per promise: also each member of a request and of a response, by its path and
// type. A line that goes or changes breaks scripts of users. Added lines break nothing; `-u` adds them.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {commands} from '../../src/commands/index.ts'
import results from '../../src/commands/schema/shared/results.json' with {type: 'json'}
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {schemasFor, topicNames} from '../../src/contract/schema.ts'
import {errorRegistry} from '../../src/errors/registry.ts'
import {errorSchema, noteSchema, warningSchema} from '../../src/output/error-schema.ts'

interface Flag {
  readonly char?: string
  readonly type?: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly required?: boolean
  readonly default?: unknown
  readonly summary?: string
}

interface Argument {
  readonly required?: boolean
}

interface CommandClass {
  readonly args?: Readonly<Record<string, Argument>>
  readonly flags?: Readonly<Record<string, Flag>>
  readonly baseFlags?: Readonly<Record<string, Flag>>
}

const words = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' ')

/** The default of a flag. One that the code has elsewhere is named in its summary, as "(default 30s)" or "Default: 127.0.0.1." */
function defaultOf({default: value, summary = ''}: Flag): string | undefined {
  const named = /[(;,] ?default ([^);]+)|Default: (.+?)\.(?:\s|$)/.exec(summary)
  const text = named?.[1] ?? named?.[2]
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  if (text === undefined && !isPlain) return undefined
  return `default ${isPlain ? JSON.stringify(value) : text}`
}

async function commandLines(): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [id, load] of Object.entries(commands)) {
    const {args = {}, flags = {}, baseFlags = {}} = (await load()).default as unknown as CommandClass
    const name = id.replaceAll(':', ' ')
    lines.push(`command ${name}`)
    for (const [argument, {required}] of Object.entries(args))
      lines.push(words('argument', name, argument.toUpperCase(), required && 'required'))
    for (const [flag, {char, type, options, multiple, required, ...rest}] of Object.entries({
      ...baseFlags,
      ...flags,
    }))
      lines.push(
        words(
          `flag ${name} --${flag}`,
          char && `-${char}`,
          type === 'option' && 'VALUE',
          options?.join('|'),
          multiple && 'repeatable',
          required && 'required',
          defaultOf(rest),
        ),
      )
  }
  return lines
}

/** Every field of a schema, with its type. */
function fieldLines(schema: unknown, at: string): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(item => fieldLines(item, at))
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties,
    required,
    items,
    anyOf,
    $ref,
    additionalProperties,
    type,
    enum: values,
  } = schema as Record<string, unknown>
  const needed = Array.isArray(required) ? required : []
  const own = words(
    `field ${at}`,
    type !== undefined && [type].flat().join('|'),
    Array.isArray(values) && values.length < 40 && values.join('|'),
    typeof $ref === 'string' && $ref,
  )
  const members = Object.entries((properties ?? {}) as object).flatMap(([name, member]) =>
    fieldLines(member, `${at}.${name}${needed.includes(name) ? '' : '?'}`),
  )
  return [
    own,
    ...members,
    ...fieldLines(items, `${at}[]`),
    ...fieldLines(anyOf, at),
    ...fieldLines(additionalProperties, `${at}.*`),
  ]
}

/** What each operation takes and responds with; `webhook` has the calls that the service makes. */
async function contractLines(): Promise<readonly string[]> {
  const parameters = Object.values<Operation>(operations).flatMap(({id, pathParams, query}) => [
    ...pathParams.map(name => `parameter ${id} ${name} path`),
    ...query.map(({name, required}) => words(`parameter ${id} ${name} query`, required && 'required')),
  ])
  const topics = await Promise.all(topicNames.map(schemasFor))
  const sides = (['requests', 'replies'] as const).flatMap(side =>
    topics.flatMap(topic =>
      Object.entries(topic[side]).flatMap(([id, schema]) =>
        fieldLines(schema, `${id} ${side === 'requests' ? 'request' : 'response'}`),
      ),
    ),
  )
  return [...parameters, ...sides]
}

/** The variables in the tables of docs/commands/settings.md, which are made from the sources, and on the page about them. */
const variables = (): readonly string[] => [
  ...new Set(
    ['profiles.md', 'commands/settings.md'].flatMap(
      page =>
        readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8').match(/CARDCTL_[A-Z0-9_]+/g) ??
        [],
    ),
  ),
]

const promised = async (): Promise<readonly string[]> =>
  [
    ...(await commandLines()),
    ...Object.entries(errorRegistry).map(([code, {exit}]) => `exit ${code} ${exit}`),
    ...Object.entries(results.results).flatMap(([name, schema]) => fieldLines(schema, `(${name})`)),
    ...Object.entries(results.$defs).flatMap(([name, schema]) => fieldLines(schema, name)),
    ...(await contractLines()),
    ...[errorSchema, warningSchema, noteSchema].flatMap(schema => fieldLines(schema, 'stderr')),
    ...variables().map(name => `variable ${name}`),
    ...Object.keys(pjson.exports).map(name => `export ${name}`),
  ].sort()

/** What breaks scripts: promises that are gone or changed, and members that a known request must now have. */
function breaking(before: readonly string[], after: readonly string[]): readonly string[] {
  const [old, kept] = [new Set(before), new Set(after)]
  const demanded = after.filter(line => {
    const [, around] = /^(field \S+ request\S*)\.[^.?\s]+(?: |$)/.exec(line) ?? []
    return !old.has(line) && around !== undefined && before.some(known => known.startsWith(`${around} `))
  })
  return [
    ...before.filter(line => line !== '' && !kept.has(line)).map(line => `- ${line}`),
    ...demanded.map(line => `+ ${line}`),
  ]
}

it('finds commands, flags, fields, parameters, exit codes, variables and exports', async () => {
  const kinds = new Set((await promised()).map(line => line.split(' ', 1)[0]))
  expect([...kinds]).toEqual([
    'argument',
    'command',
    'exit',
    'export',
    'field',
    'flag',
    'parameter',
    'variable',
  ])
})

it('nothing that scripts rely on is removed or changed without a word: see "Stability" in CHANGELOG.md', async () => {
  const lines = [...new Set(await promised())]
  const broken = breaking(readFileSync(join(import.meta.dirname, 'promise.txt'), 'utf8').split('\n'), lines)
  const update = '`npx vitest run test/stability -u`'
  const advice =
    broken.length === 0
      ? `Only new promises, which break nothing. Run ${update}`
      : `These lines break scripts:\n${broken.slice(0, 20).join('\n')}\n\nBefore the first release, accept them by ${update}, and read the difference. After it, deprecate first, and say in CHANGELOG.md what changed`
  await expect(`${lines.join('\n')}\n`, advice).toMatchFileSnapshot('promise.txt')
})

it.each([
  ['a member gone', 'field a.get response.name string', undefined],
  ['a member of another type', 'field a.get response.name string', 'field a.get response.name integer'],
  ['a member that is now required', 'field a.add request.name? string', 'field a.add request.name string'],
])('%s breaks scripts', (_, line, now) => {
  const after = now === undefined ? [] : [now]
  expect(breaking([line], after)).toContain(`- ${line}`)
})

it('a new member breaks scripts only if a request must have it', () => {
  const before = ['field a.add request object', 'field a.get response object']
  const added = ['field a.add request.name? string', 'field a.get response.name string']
  expect(breaking(before, [...before, ...added])).toEqual([])
  const required = 'field a.add request.name string'
  expect(breaking(before, [...before, required])).toEqual([`+ ${required}`])
  expect(breaking([], ['field a.add request object', required])).toEqual([])
})
