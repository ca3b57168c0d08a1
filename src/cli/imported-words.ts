// Words that are no command of cardctl's own, but lead to operations of the profile's imported contracts.
import {escapeText} from '../output/styled.ts'
import {AREAS, allOperations, areaOf, operationsAbout, operationsIn} from './areas.ts'
import {knownValues} from './completion/known-values.ts'
import type {ReadContract} from './completion/values.ts'
import type {ManifestCommand} from './help/manifest.ts'
import {profileOf} from './profile-of.ts'
import type {Surroundings} from './surroundings.ts'

/** What `read` takes from the contracts of the profile that the line names. Contracts that can't be read are left out. */
const fromContracts = <Result>(
  argv: readonly string[],
  surroundings: Surroundings,
  read: (contracts: readonly ReadContract[]) => Result,
): Result | undefined => knownValues(surroundings).fromContracts(profileOf(argv), read)

/** `transactions get-transaction 17` as a line of `x`, if a contract of the profile has operations for the first word. */
export function importedLine(
  argv: readonly string[],
  surroundings: Surroundings,
): readonly string[] | undefined {
  const area = areaOf(argv[0] ?? '')
  if (area === undefined) return undefined
  const profile = profileOf(argv)
  // x says that there is none of that name.
  if (profile !== undefined && !knownValues(surroundings).profiles().includes(profile)) return ['x', ...argv]
  const has = fromContracts(argv, surroundings, contracts => operationsIn(area, contracts).length > 0)
  return has ? ['x', ...argv] : undefined
}

/** What of the contracts comes nearest to words that are no command. */
export interface ImportedHints {
  /** Whether a contract has the tag. */
  hasTag(word: string): boolean
  /** The operations of a resource that have one of the verbs in their name: `x cards block-card`. */
  named(resource: string, verbs: readonly string[]): readonly string[]
}

export const importedHints = (argv: readonly string[], surroundings: Surroundings): ImportedHints => ({
  hasTag: word =>
    fromContracts(argv, surroundings, all => all.some(({tags}) => tags.includes(word))) ?? false,
  named: (resource, verbs) =>
    fromContracts(argv, surroundings, contracts =>
      operationsAbout([resource], contracts)
        .filter(({name}) => name.split('-').some(word => verbs.includes(word)))
        .map(({tag, name}) => `x ${tag} ${name}`),
    ) ?? [],
})

/** The operations of the profile's contracts as commands that help and menu can search. */
export const importedCommands = (
  argv: readonly string[],
  surroundings: Surroundings,
): readonly (ManifestCommand & {readonly destroys: boolean; readonly words: readonly string[]})[] =>
  fromContracts(argv, surroundings, contracts => {
    const areas = AREAS.map(area => ({area, found: new Set(operationsIn(area, contracts).map(idOf))}))
    return allOperations(contracts).map(one => ({
      id: idOf(one),
      summary: escapeText(one.listed.summary),
      words: areas.flatMap(({area, found}) => (found.has(idOf(one)) ? area.words : [])),
      destroys: one.listed.effect === 'destroy',
      args: {},
      flags: {},
    }))
  }) ?? []

const idOf = ({tag, name}: {readonly tag: string; readonly name: string}): string => `x:${tag}:${name}`
