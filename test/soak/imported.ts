// Each operation of a document, by its command, against a mock that was made from the document and checks what comes.
// The document is named: node test/soak/imported.ts FILE. Without one, the project's own documents are taken.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {RE2JS} from 're2js'
import {contractFolder, StoredContract} from '../../src/imported/commands.ts'
import {fieldSchemas, itemsOf, resolved, typesOf} from '../../src/imported/compile/walk-schema.ts'
import type {ImportedOperation, Schema, SecurityScheme} from '../../src/imported/index.ts'
import {readDocument} from '../../src/imported/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {installPrism} from '../helpers/prism.ts'

const OWN = ['shop-3.0.yaml', 'tree-3.1.json'].map(name =>
  fileURLToPath(new URL(`../fixtures/documents/${name}`, import.meta.url)),
)

const folder = await mkdtemp(join(tmpdir(), 'cardctl-soak-'))
let faults = 0

function complain(text: string): void {
  faults++
  process.stderr.write(`${text}\n`)
}

interface Mock {
  readonly url: string
  readonly lines: () => readonly string[]
  readonly child: ChildProcess
}

async function startMock(prism: string, document: string): Promise<Mock> {
  const port = await freePort()
  const child = spawn(process.execPath, [prism, 'mock', document, '--port', String(port)], {
    cwd: folder,
    env: {PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1'},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  for (let looks = 0; looks < 1800 && !/Prism is listening/.test(text); looks++) {
    if (child.exitCode !== null) throw new Error(`The mock ended:\n${text}`)
    await new Promise(done => setTimeout(done, 100))
  }
  return {url: `http://127.0.0.1:${port}`, lines: () => text.split('\n'), child}
}

const TEXTS = [
  'a',
  'A',
  '1',
  '12',
  '123',
  'ab',
  'AB',
  'EUR',
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
function least(schema: unknown, schemas: ReadonlyMap<string, Schema>, depth = 0): unknown {
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
async function lineOf(
  operation: ImportedOperation,
  schemas: ReadonlyMap<string, Schema>,
  everything: boolean,
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
    if (body.kind === 'json' || body.kind === 'form' || body.kind === 'multipart')
      flags.push('--data', `@${file}`)
    else flags.push('--data', `@${file}`)
  }
  return ['x', tag, name, ...args, ...flags]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** The profile's authentication for what the document asks for first. */
function authFlags(schemes: Readonly<Record<string, SecurityScheme>>): string[] {
  const [scheme] = Object.values(schemes)
  if (scheme === undefined) return ['--auth', 'none']
  const secret = ['--secret', 'env:SOAK_SECRET']
  if (scheme.type === 'apiKey')
    return ['--auth', 'header', '--header-name', scheme.name ?? 'x-api-key', ...secret]
  if (scheme.type === 'http' && scheme.scheme === 'basic')
    return ['--auth', 'basic', '--user', 'soak', ...secret]
  return ['--auth', 'bearer', ...secret]
}

const env = {SOAK_SECRET: 'soak-secret-1'}

async function soak(prism: string, document: string): Promise<void> {
  const {securitySchemes} = await readDocument({file: document})
  const mock = await startMock(prism, document)
  const home: Home = await openHome()
  try {
    await home.run(
      ['profiles', 'add', 'soak', '--base-url', mock.url, '--kind', 'test', ...authFlags(securitySchemes)],
      {env},
    )
    const imported = await home.run([
      'contract',
      'import',
      document,
      '--name',
      'soak',
      '-p',
      'soak',
      '-o',
      'json',
    ])
    if (imported.code !== 0) throw new Error(imported.stderr)
    const {faults: found} = JSON.parse(imported.stdout) as {faults: {consequence: string}[]}
    const data = join(home.folder, '.local/share/cardctl')
    using contract = new StoredContract(contractFolder(data, 'soak'), 'soak')
    const schemas = {get: (name: string) => contract.schema(name)} as unknown as ReadonlyMap<string, Schema>
    let calls = 0
    let differing = 0
    let operations = 0
    for (const tag of contract.tags) {
      for (const name of Object.keys(contract.tag(tag)?.operations ?? {})) {
        const operation = contract.operation(tag, name)
        if (operation === undefined) throw new Error(`${tag} ${name} is listed and not there`)
        operations++
        for (const everything of [false, true]) {
          const before = mock.lines().length
          const argv = await lineOf(operation, schemas, everything)
          const {code, stderr} = await home.run([...argv, '-p', 'soak', '--yes', '-o', 'json'], {env})
          calls++
          if (/differs? from the contract/.test(stderr)) differing++
          const logged = mock
            .lines()
            .slice(before)
            .filter(line => /Violation: request|UNPROCESSABLE|NO_PATH|UNAUTHORIZED|No route/i.test(line))
          if (code !== 0 || logged.length > 0)
            complain(`${argv.join(' ')} ended ${code}: ${stderr}${logged.join('\n')}`)
        }
      }
    }
    // A mock that sees nothing finds nothing.
    const unknown = await fetch(`${mock.url}/no-such-path-of-the-document`)
    if (!(await unknown.text()).includes('NO_PATH')) complain('The mock checks nothing.')
    process.stdout.write(
      `${document}: ${operations} operations, ${found.filter(({consequence}) => consequence === 'left out').length} left out, ` +
        `${calls} calls, ${faults} violations, ${differing} answers that differ from their own document\n`,
    )
  } finally {
    mock.child.kill('SIGTERM')
    if (mock.child.exitCode === null && mock.child.signalCode === null) await once(mock.child, 'exit')
    await home.remove()
  }
}

try {
  const named = process.argv.slice(2).map(file => resolve(file))
  const prism = process.env.SOAK_PRISM ?? installPrism(folder)
  for (const document of named.length > 0 ? named : OWN) await soak(prism, document)
} catch (error) {
  complain(error instanceof Error ? error.message : String(error))
} finally {
  await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
process.exitCode = faults > 0 ? 1 : 0
