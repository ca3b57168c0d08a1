// The least command line that calls an operation of an imported contract, for the soaks that call them all.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {RE2JS} from 're2js'
import {fieldSchemas, itemsOf, resolved, typesOf} from '../../src/imported/compile/walk-schema.ts'
import type {ImportedOperation, Schema, SecurityScheme} from '../../src/imported/index.ts'

const TEXTS = [
  'a',
  'A',
  '1',
  '12',
  '123',
  'ab',
  'AB',
  'EUR',
  '1.00',
  'NL',
  'abc1',
  '1234',
  '123456',
  '2026-01-31',
  '2026-01-31T09:00:00Z',
  '+31201234567',
  'a@example.com',
  '10:00',
  'https://api.example',
  '00000000-0000-4000-8000-000000000000',
]
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00Z',
  uuid: '3f1c9a52-6f0b-4c8e-9a53-0d6f5a7b1c24',
  uri: 'https://api.example/1',
  url: 'https://api.example/1',
  email: 'name@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'api.example',
  byte: 'AAAA',
}

/** The least value that a schema takes: required members only. */
export function least(schema: unknown, schemas: ReadonlyMap<string, Schema>, depth = 0): unknown {
  const found = mergedParts(resolved(schema, schemas) ?? {}, schemas)
  if (found.const !== undefined) return found.const
  if (Array.isArray(found.enum)) return found.enum.find(value => value !== null)
  const own =
    found.example ?? (Array.isArray(found.examples) ? found.examples[0] : undefined) ?? found.default
  if (own !== undefined && typeof own !== 'object') return own
  const [type] = typesOf(schema, schemas).filter(one => one !== 'null')
  if (type === 'object' || fieldSchemas(schema, schemas).length > 0) {
    if (depth > 12) return {}
    const wanted = variantMembers(found, schemas)
    return Object.fromEntries(
      wanted.map(({name, schema: member}) => [name, least(member, schemas, depth + 1)]),
    )
  }
  if (type === 'array') {
    const count = typeof found.minItems === 'number' ? found.minItems : 0
    return Array.from({length: count}, () => least(itemsOf(schema, schemas), schemas, depth + 1))
  }
  if (type === 'integer' || type === 'number') {
    const {minimum, exclusiveMinimum, maximum} = found
    const low =
      typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
    return typeof maximum === 'number' && maximum < low ? maximum : low
  }
  if (type === 'boolean') return true
  return textFor(found)
}

/** What all parts of a plain value say of it. */
function mergedParts(found: Readonly<Record<string, unknown>>, schemas: ReadonlyMap<string, Schema>) {
  const parts = Array.isArray(found.allOf) ? found.allOf.map(part => resolved(part, schemas) ?? {}) : []
  return Object.assign(
    {},
    ...parts.map(({properties: _, required: __, ...plain}) => plain),
    found,
  ) as typeof found
}

/** Required members, and of variants those of the first. */
function variantMembers(found: Readonly<Record<string, unknown>>, schemas: ReadonlyMap<string, Schema>) {
  const plain = {...found}
  const variants = ['anyOf', 'oneOf'].flatMap(keyword =>
    Array.isArray(found[keyword]) ? [found[keyword][0]] : [],
  )
  delete plain.anyOf
  delete plain.oneOf
  const members = [plain, ...variants].flatMap(part => fieldSchemas(part, schemas))
  const distinct = [...new Map(members.map(member => [member.name, member])).values()]
  return distinct.filter(({required, schema}) => required && resolved(schema, schemas)?.readOnly !== true)
}

function textFor({pattern, format, minLength, maxLength}: Readonly<Record<string, unknown>>): string {
  const [low, high] = [Number(minLength ?? 0), Number(maxLength ?? 1000)]
  const known = FORMATS[String(format)]
  if (known !== undefined) return known
  const coded = /^\^([A-Za-z]{2})\[0-9a-fA-F\]\{(\d+)\}\$$/.exec(String(pattern))
  if (coded) return coded[1] + 'a'.repeat(Number(coded[2]))
  const sized = TEXTS.map(text => text.slice(0, high).padEnd(Math.min(low, 200), text))
  if (typeof pattern !== 'string') return sized[0] ?? 'a'
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  return sized.find(text => compiled.matcher(text).find()) ?? 'a'
}

const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** The command line that calls an operation, with all parameters or the required ones. */
export async function lineOf(
  operation: ImportedOperation,
  schemas: ReadonlyMap<string, Schema>,
  {everything, folder}: {readonly everything: boolean; readonly folder: string},
) {
  const {tag, name, parameters, body} = operation
  const args: string[] = []
  const flags: string[] = []
  const inPath = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => one)
  for (const parameter of [...parameters].sort((a, b) => inPath.indexOf(a.name) - inPath.indexOf(b.name))) {
    const {in: place, required, flag, sensitive, schema, example} = parameter
    if (!required && !everything && !sensitive) continue
    const value = example ?? least(schema, schemas)
    const type = typesOf(schema, schemas)[0]
    if (sensitive) flags.push(`--${flag}`, 'env:SOAK_SECRET')
    else if (place === 'path') args.push(asText(value))
    else if (type === 'boolean') flags.push(value === false ? `--no-${flag}` : `--${flag}`)
    else if (Array.isArray(value)) for (const item of value.slice(0, 1)) flags.push(`--${flag}`, String(item))
    else if (type === 'object' && isEmpty(value)) continue
    else flags.push(`--${flag}`, type === 'array' ? String(value) : asText(value))
  }
  if (body !== undefined && (body.required || everything)) {
    const file = join(folder, `body-${tag}-${name}.json`)
    await writeFile(file, JSON.stringify(least(body.schema, schemas) ?? {}))
    flags.push('--data', `@${file}`)
  }
  return ['x', tag, name, ...args, ...flags]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** The profile's authentication for what the document asks for first. */
export function authFlags(schemes: Readonly<Record<string, SecurityScheme>>): string[] {
  const [scheme] = Object.values(schemes)
  if (scheme === undefined) return ['--auth', 'none']
  const secret = ['--secret', 'env:SOAK_SECRET']
  if (scheme.type === 'apiKey')
    return ['--auth', 'header', '--header-name', scheme.name ?? 'x-api-key', ...secret]
  if (scheme.type === 'http' && scheme.scheme === 'basic')
    return ['--auth', 'basic', '--user', 'soak', ...secret]
  return ['--auth', 'bearer', ...secret]
}
