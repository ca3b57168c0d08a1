// Names of the wire and of the systems around, with what explains each: read from the contract and from what maps such names.
import {STATUS_CODES} from 'node:http'
import {getSystemErrorMap} from 'node:util'
import type {JsonSchema} from '../../contract/json-schema.ts'
import {operations} from '../../contract/operations.gen.ts'
import {fieldSchemas, schemasFor} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {readWebhookContract} from '../../contract/webhook-contract.ts'
import {type Blame, wordsFor} from '../../errors/blame.ts'
import {isDiskFull} from '../../errors/disk-full.ts'
import {type ErrorCode, errorRegistry} from '../../errors/registry.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {fileReasons} from '../../errors/system-reason.ts'
import {networkCodes, networkFault} from '../../http/network-fault.ts'
import {databaseReasons} from '../../postgres/reasons.ts'
import {portReasons} from '../serving/run-server.ts'
import type {Named} from './entry.ts'
import type {ManifestCommand} from './manifest.ts'
import {nameOf} from './manifest.ts'

/** By the name of the entry that explains them. */
export type NamedByEntry = ReadonlyMap<string, readonly Named[]>

/** All names; the entry that explains one best has the lowest rank for it. */
export async function readNamed(commands: readonly ManifestCommand[]): Promise<NamedByEntry> {
  const all = [...(await namesOfWebhook()), ...(await namesOfOperations(commands)), ...namesOfSystems()]
  const byEntry = Map.groupBy(all, ([entry]) => entry)
  return new Map([...byEntry].map(([entry, named]) => [entry, named.map(([, each]) => each)]))
}

type Explained = readonly [entry: string, named: Named]

/** `partialApprovalAmount` and `NOT_SUFFICIENT_FUNDS` in words. */
export const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.[\]]+/g, ' ')
    .trim()
    .toLowerCase()

const WEBHOOK = 'webhook contract'

async function namesOfWebhook(): Promise<readonly Explained[]> {
  const {calls, codes} = await readWebhookContract()
  const fields = calls.flatMap(({headers, call, answer}) => [...call.fields, ...answer.fields, ...headers])
  return [
    ...fields.flatMap(({name, meaning, values = []}): readonly Explained[] => {
      const whole = name.replaceAll('[]', '')
      const last = whole.split('.').at(-1) ?? whole
      const line = `${name}: ${meaning} (${cardctl('webhook', 'contract', '--field', {value: last})})`
      return [
        [WEBHOOK, {name: last, says: wordsOfName(last), line, rank: 0.5}],
        [WEBHOOK, {name: whole, line, rank: 0}],
        ...values.map((each): Explained => {
          const of = `${each.value}: ${each.meaning || `a value of ${name}`} (${cardctl('webhook', 'contract', '--field', {value: last})})`
          return [WEBHOOK, {name: each.value, says: wordsOfName(each.value), line: of, rank: 0.5}]
        }),
      ]
    }),
    ...codes.flatMap(({code, name = '', meaning}): readonly Explained[] => {
      const line = `${code} ${name}: ${meaning} (${cardctl('webhook', 'contract', '--code', {value: code})})`
      return [
        [WEBHOOK, {name: code, says: meaning, line, rank: 0}],
        ...(name === '' ? [] : [[WEBHOOK, {name, says: wordsOfName(name), line, rank: 0}] as const]),
      ]
    }),
  ]
}

/** A field that a flag sets is best set by it; then come commands that send it, and then those that show it. */
async function namesOfOperations(commands: readonly ManifestCommand[]): Promise<readonly Explained[]> {
  const found = new Map<string, {entry: string; line: string; order: number}[]>()
  const add = (name: string, entry: string, line: string, order: number): void => {
    const known = found.get(name) ?? []
    if (!known.some(each => each.entry === entry && each.order <= order)) known.push({entry, line, order})
    found.set(name, known)
  }
  for (const command of commands.filter(({hidden}) => !hidden)) {
    const entry = nameOf(command)
    const setBy = new Map(
      Object.values(command.flags).flatMap(({sets, name}) => (sets ? [[sets, name]] : [])),
    )
    for (const id of command.claims ?? []) {
      if (!Object.hasOwn(operations, id)) continue
      const {extension, effect} = operations[id as OperationId]
      const {requests, replies} = await schemasFor(id)
      const later = extension ? 4 : 0
      for (const [path, schema] of fieldsIn(requests[id] ?? {})) {
        const flag = setBy.get(path)
        const name = path.split('.').at(-1) ?? path
        const how = flag === undefined ? `a field of the request: ${path}` : `set by --${flag}`
        add(name, entry, `${name}: ${how}`, later + (flag === undefined ? 1 : 0))
        for (const value of valuesIn(schema)) add(value, entry, `${value}: a value of ${path}`, later + 2)
      }
      for (const [path, schema] of effect === 'read' ? fieldsIn(replies[id] ?? {}) : []) {
        const name = path.split('.').at(-1) ?? path
        add(name, entry, `${name}: a field of the response: ${path}`, later + 2)
        for (const value of valuesIn(schema)) add(value, entry, `${value}: a value of ${path}`, later + 2)
      }
    }
  }
  return [...found].flatMap(([name, entries]) =>
    entries
      .toSorted((a, b) => a.order - b.order)
      .slice(0, MOST_COMMANDS)
      .map(({entry, line, order}, rank): Explained => {
        // The words of a flag are searched anyway.
        const says = order === 0 ? {} : {says: wordsOfName(name)}
        return [entry, {name, ...says, line, rank}]
      }),
  )
}

/** A field that many commands have leads to none of them. */
const MOST_COMMANDS = 3

function fieldsIn(schema: JsonSchema, before = ''): readonly (readonly [path: string, schema: JsonSchema])[] {
  const items = schema.items as JsonSchema | undefined
  return [
    ...Object.entries(fieldSchemas(schema)).flatMap(([name, field]) => {
      const path = `${before}${name}`
      return [[path, field] as const, ...fieldsIn(field, `${path}.`)]
    }),
    ...(items === undefined ? [] : fieldsIn(items, before)),
  ]
}

const valuesIn = ({enum: values = []}: JsonSchema): readonly string[] =>
  values.filter(value => typeof value === 'string' && /^[A-Z]/.test(value)) as readonly string[]

const WRONG = 'docs/when-things-go-wrong.md'
const ERRORS = 'docs/commands/errors.md'

/** Codes of the network, of TLS, of files, of PostgreSQL and of HTTP. */
function namesOfSystems(): readonly Explained[] {
  const messages = new Map([...getSystemErrorMap().values()].map(([name, message]) => [name, message]))
  const network = networkCodes.map((name): Explained[] => {
    const {code, blame} = networkFault(Object.assign(new Error(name), {code: name}))
    return systemCode(name, code, sayOf(code, blame))
  })
  const files = Object.entries(fileReasons).map(([name, reason]) => {
    const code = isDiskFull(Object.assign(new Error(name), {code: name})) ? 'DISK_FULL' : 'CONFIG_UNREADABLE'
    return systemCode(name, code, `${reason}. ${errorRegistry[code].hint}`, messages.get(name))
  })
  const ports = Object.entries(portReasons).map(([name, reason]) =>
    systemCode(
      name,
      'PORT_UNAVAILABLE',
      `${reason}. ${errorRegistry.PORT_UNAVAILABLE.hint}`,
      messages.get(name),
    ),
  )
  const database = Object.entries(databaseReasons).flatMap(([name, reason]): Explained[] =>
    /^E|_/.test(name)
      ? []
      : ['docs/team-sandbox.md', 'docs/fleet.md'].map((entry, rank) => [
          entry,
          {name, line: `${name}: the database says that ${reason}. ${wordsFor('database').hint}`, rank},
        ]),
  )
  const http = Object.entries(STATUS_CODES).flatMap(([status, says = '']) => {
    const code = errorOfStatus(Number(status))
    if (code === undefined) return []
    return systemCode(status, code, `${errorRegistry[code].summary}. ${errorRegistry[code].hint}`, says)
  })
  return [...namesOfExits(), ...network.flat(), ...files.flat(), ...ports.flat(), ...database, ...http]
}

/** `exit 13`, as the search reads what is typed. */
function namesOfExits(): readonly Explained[] {
  const byExit = Map.groupBy(Object.values(errorRegistry), ({exit}) => exit)
  return [...byExit].flatMap(([exit, entries]) => {
    const line = `exit ${exit}: ${entries.map(({summary}) => summary).join('; ')}`
    return [WRONG, 'help exit-codes'].map(
      (entry, rank): Explained => [entry, {name: `exit ${exit}`, line, rank}],
    )
  })
}

const sayOf = (code: ErrorCode, blame: Blame): string =>
  `${wordsFor(blame).now}. ${wordsFor(blame).hint ?? errorRegistry[code].hint}`

const systemCode = (name: string, code: ErrorCode, meaning: string, says = wordsOfName(name)): Explained[] =>
  [WRONG, ERRORS].map(
    (entry, rank): Explained => [entry, {name, says, line: `${name} (${code}): ${meaning}`, rank}],
  )

/** As the summaries of the registry name them. */
function errorOfStatus(status: number): ErrorCode | undefined {
  const named = (Object.entries(errorRegistry) as [ErrorCode, {summary: string}][]).find(([, {summary}]) =>
    new RegExp(`\\([\\d, ]*\\b${status}\\b[\\d, ]*\\)`).test(summary),
  )
  if (named !== undefined) return named[0]
  // After a write, nobody knows what a gateway's response says of it.
  if (status >= 500 || status === 408 || status === 425) return 'EFFECT_UNKNOWN'
  return status >= 400 ? 'REFUSED' : undefined
}
