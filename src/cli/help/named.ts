// Names of the wire and of the systems around, with what explains each: read from the contract and from what maps such names.
import type {JsonSchema} from '../../contract/json-schema.ts'
import {operations} from '../../contract/operations.gen.ts'
import {fieldSchemas, schemasFor} from '../../contract/schema.ts'
import type {OperationId} from '../../contract/types.ts'
import {readWebhookContract} from '../../contract/webhook-contract.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {typedLine} from '../command-line.ts'
import {MISSING_VERBS} from '../missing-verbs.ts'
import type {Named} from './entry.ts'
import {type Explained, wordsOfName} from './explained.ts'
import type {ManifestCommand} from './manifest.ts'
import {nameOf} from './manifest.ts'
import {namesOfSystems} from './system-names.ts'

/** By the name of the entry that explains them. */
export type NamedByEntry = ReadonlyMap<string, readonly Named[]>

/** All names; the entry that explains one best has the lowest rank for it. */
export async function readNamed(commands: readonly ManifestCommand[]): Promise<NamedByEntry> {
  const all = [
    ...(await namesOfWebhook()),
    ...(await namesOfOperations(commands)),
    ...namesOfSystems(),
    ...unknownCommands(),
  ]
  const byEntry = Map.groupBy(all, ([entry]) => entry)
  return new Map([...byEntry].map(([entry, named]) => [entry, named.map(([, each]) => each)]))
}

/** The error for a command that isn't there leads to what it says to run. People paste it. */
function unknownCommands(): readonly Explained[] {
  return MISSING_VERBS.flatMap(({topics, verbs, lacks, instead}) => {
    const [entry] = /^[a-z]\S*(?: [a-z][a-z-]+)*/.exec(instead?.words ?? '') ?? []
    if (instead === undefined || entry === undefined) return []
    const line = [lacks, `${instead.does}: ${typedLine(instead.words.split(' '), undefined)}`]
    const tried = topics.flatMap(topic => verbs.map(verb => `${topic} ${verb}`.trim()))
    return [[entry, {name: tried[0] ?? entry, tried, line: line.filter(Boolean).join(' '), rank: 0}]]
  })
}

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
