import type {Context} from '../../../cli/context.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {
  contractFolder,
  contractNames,
  lastId,
  listIn,
  StoredContract,
  toOperation,
} from '../../../imported/commands.ts'
import type {ImportedOperation, ImportedParameter} from '../../../imported/index.ts'
import {unknownContract, withoutDue, withoutKeyHeader} from '../../x/shared/contracts.ts'
import {type FetchImportedPage, type ImportedList, importedItems} from '../../x/shared/pages.ts'
import type {CheckedReads} from './contract-reads.ts'

/** The reads of an imported contract, with the ids that lists and other responses of the service give. */
export async function importedReads(
  context: Context,
  name: string,
  given: readonly string[] = [],
): Promise<CheckedReads> {
  const {name: profile} = await context.service.chosen()
  const target = await context.service.target()
  const folder = contractFolder(context.folders.data, profile)
  const names = contractNames(folder)
  if (!names.includes(name)) throw unknownContract(profile, names, name)
  const contract = new StoredContract(folder, name)
  const imported = new Map<string, ImportedOperation>()
  for (const tag of contract.tags)
    for (const [command, {effect, method}] of Object.entries(contract.tag(tag)?.operations ?? {})) {
      const found = effect === 'read' && method === 'GET' ? contract.operation(tag, command) : undefined
      if (found === undefined) continue
      imported.set(found.id, (await withoutKeyHeader(context, withoutDue(found, target))).imported)
    }
  const settings = {handsOut: false, digest: () => contract.digest()}
  const reads = [...imported.values()].map(one =>
    toOperation(one, schema => contract.schema(schema), settings),
  )
  const ids = parseIds(given)
  const parameters = [...imported.values()].flatMap(one => one.parameters.map(({name: own}) => own))
  const stray = [...ids.keys()].find(own => !parameters.includes(own))
  if (stray !== undefined) {
    const near = nearestName(stray, parameters)
    throw new Failure('USAGE', {
      message: `No read of ${name} has a parameter ${stray}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      effect: 'none',
    })
  }
  const known = new Known(ids)
  const described = ({id}: Operation): ImportedOperation | undefined => imported.get(id)
  return {
    reads,
    topicOf: operation => described(operation)?.tag ?? operation.topic,
    inputFor: operation => known.inputFor(described(operation)),
    smallPages: (operation, {query}) => {
      const found = described(operation)
      const paging = found?.paging
      if (found === undefined || paging === undefined) return undefined
      const {size} = paging
      const first = {...query, ...(size !== undefined && {[size]: 1})}
      const here = new URL(found.path.slice(1), `${target.baseUrl}/`)
      return {
        isSized: size !== undefined,
        items: fetch =>
          itemsOf({operation: {...found, paging}, first, here}, page => fetch({...query, ...page})),
      }
    },
    learn: (operation, body) => known.learn(described(operation), body),
    close: () => contract.close(),
  }
}

async function* itemsOf(list: ImportedList, fetch: FetchImportedPage): AsyncGenerator<unknown> {
  yield* (await importedItems(list, {all: true}, fetch)).items
}

/** `--id name=value`. @throws Failure USAGE */
function parseIds(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map(text => {
      const at = text.indexOf('=')
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const
      throw new Failure('USAGE', {message: '--id takes name=value, for example --id card_token=crd_1.'})
    }),
  )
}

/** Enough items to see the form of one. */
const PAGE = 5

/** Ids to read with: given by the name of their parameter, or learned for a place such as `/users/{token}`. */
class Known {
  readonly #given: ReadonlyMap<string, string>
  readonly #learned = new Map<string, string>()

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given
  }

  inputFor(imported: ImportedOperation | undefined): {readonly input: AnyInput} | {readonly needs: string} {
    const input: {
      path: Record<string, string>
      query: Record<string, unknown>
      headers: Record<string, unknown>
    } = {
      path: {},
      query: {},
      headers: {},
    }
    if (imported === undefined) return {needs: 'needs its description'}
    for (const parameter of imported.parameters) {
      const {name, in: place, required, sensitive} = parameter
      const value = this.#given.get(name) ?? this.#valueOf(imported, parameter)
      if (sensitive && required) return {needs: `needs the secret ${name}`}
      if (value === undefined && required) return {needs: `needs --id ${name}=VALUE`}
      if (value === undefined || sensitive) continue
      if (place === 'path') input.path[name] = String(value)
      else if (place === 'query') input.query[name] = value
      else if (place === 'header') input.headers[name] = value
    }
    const size = imported.paging?.size
    return {input: size === undefined ? input : {...input, query: {...input.query, [size]: PAGE}}}
  }

  #valueOf({path}: ImportedOperation, {name, in: place, required, schema}: ImportedParameter): unknown {
    if (place === 'path') return this.#learned.get(placeOf(path, name)) ?? this.#learned.get(name)
    if (!required || !isObject(schema)) return undefined
    // An example may be of another service. A default or the only value is what the document wants.
    return schema.default ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined)
  }

  learn(imported: ImportedOperation | undefined, body: unknown): void {
    if (imported === undefined) return
    const first = itemIn(body)
    if (!isObject(first)) return
    const keep = (place: string, value: unknown): void => {
      const isId = (typeof value === 'string' && value !== '') || typeof value === 'number'
      if (isId && !this.#learned.has(place)) this.#learned.set(place, String(value))
    }
    const id = lastId([first], imported, {})
    // The one parameter below the list: whatever its name, it is the id of an item.
    keep(`${imported.path}/{}`, id)
    // A name that says whose id it is, such as user_token, is the same everywhere.
    for (const [name, value] of Object.entries(first))
      if (/.(?:_|(?=[A-Z]))(?:id|token|uuid|key|Id|Token)$/.test(name)) keep(name, value)
  }
}

/** `/users/{}` for the parameter `token` of `/users/{token}/cards`. */
const placeOf = (path: string, name: string): string => `${path.slice(0, path.indexOf(`{${name}}`))}{}`

function itemIn(body: unknown): unknown {
  try {
    return listIn(body)[0] ?? body
  } catch {
    return body
  }
}
