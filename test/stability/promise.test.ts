// What CHANGELOG.md promises, as one line per promise. A line that goes or changes breaks scripts of users: if you mean
// it, run this file with -u, read the difference, and say in CHANGELOG.md what changed. Added lines are fine in a minor version.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {commands} from '../../src/commands/index.ts'
import results from '../../src/commands/schema/shared/results.json' with {type: 'json'}
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
    ...[errorSchema, warningSchema, noteSchema].flatMap(schema => fieldLines(schema, 'stderr')),
    ...variables().map(name => `variable ${name}`),
    ...Object.keys(pjson.exports).map(name => `export ${name}`),
  ].sort()

it('finds commands, flags, fields, exit codes, variables and exports', async () => {
  const kinds = new Set((await promised()).map(line => line.split(' ', 1)[0]))
  expect([...kinds]).toEqual(['argument', 'command', 'exit', 'export', 'field', 'flag', 'variable'])
})

it('nothing that scripts rely on is removed or changed without a word: see "Stability" in CHANGELOG.md', async () => {
  const lines = [...new Set(await promised())]
  const update =
    'Run `npx vitest run test/stability -u`, read the difference, and say in CHANGELOG.md what changed'
  await expect(`${lines.join('\n')}\n`, update).toMatchFileSnapshot('promise.txt')
})
