import {operationsUnder} from '../../../cli/areas.ts'
import type {Context} from '../../../cli/context.ts'
import {couldFit} from '../../../contract/match.ts'
import {type Operation, takesKey} from '../../../contract/operation.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {meantName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {
  contractFolder,
  contractNames,
  rowForm,
  StoredContract,
  toOperation,
} from '../../../imported/commands.ts'
import type {ImportedOperation, ImportedParameter, Schema} from '../../../imported/index.ts'
import {escapeText} from '../../../output/styled.ts'
import {parsePaging} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'

/**
 * Text of a document for a help page: without control characters, and without template markers, which the help would
 * evaluate.
 */
export const shownText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map(line => escapeText(line).replaceAll('<%', '< %').replaceAll('%>', '% >'))
    .join('\n')

/** The same on one line, cut if it is too long. */
export function shownLine(text: string, most = 200): string {
  const line = shownText(text).replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

/** The contracts that were imported into the profile of a command. */
export interface Contracts {
  readonly profile: string
  /** All contracts, or the one that `--contract` names. The caller closes them. */
  readonly opened: readonly StoredContract[]
}

/** @throws Failure USAGE if there is none */
export async function openContracts(context: Context, only: string | undefined): Promise<Contracts> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  const names = contractNames(folder)
  if (names.length === 0) {
    throw new Failure('USAGE', {
      message: `The profile ${profile} has no imported contract.`,
      hint: advice`Import one: ${context.commandLine('contract', 'import', {value: 'FILE'}, '--name', {value: 'NAME'})}`,
      effect: 'none',
    })
  }
  if (only !== undefined && !names.includes(only)) throw unknownContract(profile, names, only)
  const wanted = only === undefined ? names : [only]
  return {profile, opened: wanted.map(name => new StoredContract(folder, name))}
}

export function unknownContract(profile: string, names: readonly string[], given: string): Failure {
  const meant = meantName(given, names)
  return new Failure('USAGE', {
    message: `The profile ${profile} has no contract of that name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint:
      names.length === 0
        ? advice`See ${cardctl('contract', 'import', '--help')}`
        : `There are: ${names.join(', ')}.`,
    effect: 'none',
  })
}

/** @throws Failure USAGE, which lists the existing names */
export function unknownTag({opened}: Contracts, given: string): Failure {
  const tags = [...new Set(opened.flatMap(contract => contract.tags))]
  const meant = meantName(given, tags)
  const some = tags.slice(0, 12).join(', ')
  return new Failure('USAGE', {
    message: `Unknown command "x ${escapeText(given)}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: advice`Tags: ${some}${tags.length > 12 ? ' …' : ''}. See ${cardctl('x')}`,
    effect: 'none',
  })
}

/** The operations of all imported contracts of the profile that a request may be: their marks apply to `api` too. */
export async function operationsAt(context: Context, method: string, path: string): Promise<Operation[]> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  return contractNames(folder).flatMap(name => {
    using contract = new StoredContract(folder, name)
    const fitting = contract.tags.flatMap(tag =>
      Object.entries(contract.tag(tag)?.operations ?? {}).flatMap(([one, listed]) =>
        listed.method === method && couldFit(listed.path, path) ? [contract.operation(tag, one)] : [],
      ),
    )
    return fitting.flatMap(one => {
      if (one === undefined) return []
      const {form: _, ...operation} = toOperation(one, () => undefined, {
        handsOut: false,
        digest: () => contract.digest(),
      })
      return [{...operation, effect: one.documentEffect ?? one.effect}]
    })
  })
}

export interface FoundOperation {
  readonly contract: StoredContract
  readonly operation: ImportedOperation
}

/** @throws Failure USAGE for a tag or operation that doesn't exist, or that there is more than once */
export function findOperation(contracts: Contracts, tag: string, name: string): FoundOperation {
  const under = operationsUnder(contracts.opened, tag)
  if (under.length === 0) throw unknownTag(contracts, tag)
  const found = under.filter(one => one.name === name)
  const [first, second] = found
  const operation = first?.contract.operation(first.tag, name)
  if (first !== undefined && operation !== undefined && second === undefined)
    return {contract: first.contract, operation}
  if (second !== undefined) {
    const lines = found.map(one => `x ${one.tag} ${name} --contract ${one.contract.facts.name}`)
    throw new Failure('USAGE', {
      message: `More than one operation has the name "${tag} ${name}".`,
      hint: `Choose one: ${lines.join(', or ')}.`,
      effect: 'none',
    })
  }
  const names = [...new Set(under.map(one => one.name))]
  const meant = meantName(name, names)
  throw new Failure('USAGE', {
    message: `Unknown command "x ${tag} ${escapeText(name)}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: `Commands under ${tag}: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ' …; without a command, all are listed' : ''}.`,
    effect: 'none',
  })
}

/** What the profile adds to every request need not be passed, and pages follow as it says. */
export function withoutDue(
  imported: ImportedOperation,
  {service}: Pick<Target, 'service'>,
): ImportedOperation {
  if (service === undefined) return imported
  const told = service.paging?.[imported.id]
  const paging = told === undefined ? imported.paging : parsePaging(told)
  const user = service.auditUser === undefined ? [] : [service.auditUser.toLowerCase()]
  const added = new Set([
    ...Object.keys(service.headers ?? {}).map(name => `header:${name.toLowerCase()}`),
    ...user,
  ])
  const parameters = imported.parameters.map(one =>
    added.has(`${one.in}:${one.name.toLowerCase()}`) ? {...one, required: false} : one,
  )
  return {...imported, parameters, ...(paging !== undefined && {paging})}
}

/** The operation without the parameter that the profile sends idempotency keys in, and that parameter. */
export async function withoutKeyHeader(
  context: Context,
  imported: ImportedOperation,
): Promise<{readonly imported: ImportedOperation; readonly taken?: ImportedParameter}> {
  const header = takesKey(imported)
    ? (await context.service.target()).idempotencyHeader?.toLowerCase()
    : undefined
  const taken = imported.parameters.find(
    ({in: place, name}) => place === 'header' && name.toLowerCase() === header,
  )
  if (taken === undefined) return {imported}
  return {
    imported: {...imported, parameters: imported.parameters.filter(one => one !== taken)},
    taken,
  }
}

interface StoredOperation {
  readonly operation: Operation
  /** ISO 8601. */
  readonly importedAt: string
}

/** The operation of an id, `x:CONTRACT/tag/command`; undefined if the profile has no such contract or operation. */
export async function importedOperation(
  context: Context,
  id: string,
  {rows: isForRows = false} = {},
): Promise<StoredOperation | undefined> {
  const [, name = '', tag = '', command = ''] = /^x:([^/]+)\/([^/]+)\/(.+)$/.exec(id) ?? []
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  if (!contractNames(folder).includes(name)) return undefined
  const opened = <Result>(read: (contract: StoredContract) => Result): Result => {
    using contract = new StoredContract(folder, name)
    return read(contract)
  }
  const {found, importedAt} = opened(contract => ({
    found: contract.operation(tag, command),
    importedAt: contract.facts.importedAt,
  }))
  if (found === undefined) return undefined
  const due = withoutDue(found, await context.service.target())
  const {imported} = await withoutKeyHeader(context, due)
  const known = new Map<string, Schema | undefined>()
  const source = (one: string): Schema | undefined => {
    if (!known.has(one))
      known.set(
        one,
        opened(contract => contract.schema(one)),
      )
    return known.get(one)
  }
  const operation = toOperation(imported, source, {
    handsOut: false,
    digest: () => opened(contract => contract.digest()),
    readBack: readBackOf(context, name, found),
    ...(isForRows && {rows: rowForm(imported, found, source)}),
  })
  return {operation, importedAt}
}

/** Finds the operation that reads what another one of the same document changes: GET on the same path, and nothing else needed. */
export function readBackOf(
  context: Context,
  contract: string,
  {method, path}: ImportedOperation,
): () => Promise<Operation | undefined> {
  return async () => {
    if (method === 'GET') return undefined
    const {name: profile} = await context.service.chosen()
    using stored = new StoredContract(contractFolder(context.folders.data, profile), contract)
    for (const tag of stored.tags) {
      for (const [name, listed] of Object.entries(stored.tag(tag)?.operations ?? {})) {
        if (listed.method !== 'GET' || listed.path !== path) continue
        const found = stored.operation(tag, name)
        if (found === undefined || found.effect !== 'read') continue
        if (found.parameters.some(one => one.required && one.in !== 'path')) continue
        return (await importedOperation(context, found.id))?.operation
      }
    }
    return undefined
  }
}

/**
 * The operation that a request of the journal was sent as; undefined if the contract is gone, or was imported again
 * since: another document may send something else, or the key elsewhere.
 */
export async function recordedOperation(
  context: Context,
  {operation: id, begunAt}: {readonly operation: string; readonly begunAt: number},
): Promise<Operation | undefined> {
  const found = await importedOperation(context, id)
  return found === undefined || Date.parse(found.importedAt) > begunAt ? undefined : found.operation
}
