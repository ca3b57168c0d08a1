import type {ImportedOperation, ImportedParameter} from '../../imported/index.ts'
import {escapeText} from '../../output/styled.ts'
import {AREAS, operationsIn, operationsUnder} from '../areas.ts'
import type {ManifestArgument, ManifestCommand, ManifestFlag} from '../help/manifest.ts'
import type {Candidate, ReadContract} from './values.ts'

/** Words from a document that a shell needs no quotes for. */
const isPlain = (word: string): boolean => /^[\w.-]{1,80}$/.test(word)

/** The tags, or the commands under one. */
export function importedWords(contracts: readonly ReadContract[], tag: string | undefined): Candidate[] {
  const words =
    tag === undefined
      ? contracts.flatMap(contract =>
          contract.tags.map(name => [name, contract.tag(name)?.description] as const),
        )
      : operationsUnder(contracts, tag).map(({name, listed}) => [name, listed.summary] as const)
  const plain = new Map(words.filter(([word]) => isPlain(word)))
  return [...plain].map(([value, about = '']) => ({value, about: escapeText(about)}))
}

/** The areas that a contract has operations for: they are words of their own. */
export const importedAreas = (contracts: readonly ReadContract[]): Candidate[] =>
  AREAS.flatMap(area => {
    const [first] = operationsIn(area, contracts)
    return first === undefined ? [] : [{value: area.name, about: `From the contract: x ${first.tag}`}]
  })

/** The operation under a tag or an area. */
export const importedOperation = (
  contracts: readonly ReadContract[],
  tag: string,
  name: string,
): ImportedOperation | undefined => {
  const found = operationsUnder(contracts, tag).find(one => one.name === name)
  return found?.contract.operation(found.tag, name)
}

const PAGING = ['all', 'limit', 'page', 'page-size']
const OF_WRITES = ['idempotency-key', 'propose', 'confirm', 'note', 'ticket']
const OF_BODIES = ['field', 'raw-field', 'data', 'skeleton']

/** What a command of a contract takes: its own arguments and flags, and those of `x` that go with it. */
export function importedCommand(
  x: ManifestCommand,
  {parameters, path, body, paging, effect}: ImportedOperation,
): ManifestCommand {
  const out = [
    ...(body === undefined ? OF_BODIES : []),
    ...(paging === undefined ? PAGING : []),
    ...(effect === 'read' ? OF_WRITES : []),
  ]
  const usable = parameters.filter(({flag}) => isPlain(flag))
  const isArgument = ({in: place, sensitive}: ImportedParameter) => place === 'path' && !sensitive
  const args = usable
    .filter(isArgument)
    .toSorted((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`))
    .map((each): [string, ManifestArgument] => [each.flag, {...described(each), required: true}])
  const own = usable
    .filter(each => !isArgument(each))
    .map((each): [string, ManifestFlag] => [each.flag, {...described(each), type: typeOf(each)}])
  const common = Object.entries(x.flags).filter(([name]) => !out.includes(name))
  return {...x, args: Object.fromEntries(args), flags: Object.fromEntries([...own, ...common])}
}

/** Values of secrets are never offered. */
function described({flag, description = '', schema, sensitive}: ImportedParameter) {
  const listed = typeof schema === 'object' && Array.isArray(schema.enum) ? schema.enum : []
  const values = sensitive ? [] : listed.map(String).filter(isPlain)
  const about = escapeText(description)
  return {name: flag, description: about, summary: about, ...(values.length > 0 ? {values} : {})}
}

const typeOf = ({schema}: ImportedParameter): ManifestFlag['type'] =>
  typeof schema === 'object' && schema.type === 'boolean' ? 'boolean' : 'option'
