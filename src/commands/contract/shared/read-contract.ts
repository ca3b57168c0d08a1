import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {Config} from '@oclif/core/config'
import type {Context} from '../../../cli/context.ts'
import {readText} from '../../../cli/read-text.ts'
import {
  contractFolder,
  contractNames,
  type DocumentSource,
  documentOf,
  type ImportedDocument,
  readDocument,
  StoredContract,
} from '../../../imported/index.ts'
import {untilAborted} from '../../../input/read-input.ts'

/** A contract, and its name in messages. */
export interface NamedContract {
  readonly name: string
  readonly document: ImportedDocument
}

/** The built-in contract: in the package next to the built program, in a checkout among the sources. */
export function ownContractFile({root}: Pick<Config, 'root'>): string {
  const source = join(root, 'src/contract/openapi.gen.yaml')
  return existsSync(source) ? source : join(root, 'dist/contract/openapi.yaml')
}

const OWN_NAME = 'the built-in contract'

export async function ownContract(config: Config): Promise<NamedContract> {
  return {name: OWN_NAME, document: await readDocument({file: ownContractFile(config)})}
}

/**
 * A contract that was imported into the profile, by name; otherwise one from a file, or from stdin (`-`).
 *
 * @throws Failure INPUT_INVALID
 */
export async function readContract(context: Context, given: string): Promise<NamedContract> {
  const {surroundings} = context
  const read = (source: DocumentSource) => surroundings.abandonably(() => readDocument(source))
  const [stored] = await storedContracts(context, given)
  if (stored !== undefined) return stored
  if (given !== '-') return {name: given, document: await read({file: given})}
  const text = await readText(untilAborted(surroundings.stdin, surroundings.signal), 'stdin')
  return {name: 'stdin', document: await read({text, name: 'stdin'})}
}

/** All contracts that were imported into the profile, or the one with this name. */
export async function storedContracts(context: Context, only?: string): Promise<readonly NamedContract[]> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  return contractNames(folder)
    .filter(name => only === undefined || name === only)
    .map(name => {
      using contract = new StoredContract(folder, name)
      return {name, document: documentOf(contract)}
    })
}

/** For each operation of the built-in contract, the commands that send it. */
export function commandsByOperation({commands}: Config): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const {id, claims} of commands as readonly {readonly id: string; readonly claims?: unknown}[]) {
    if (!Array.isArray(claims)) continue
    for (const operation of claims.map(String)) {
      found.set(operation, [...(found.get(operation) ?? []), id.replaceAll(':', ' ')])
    }
  }
  return found
}
