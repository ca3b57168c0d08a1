import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {readStdin} from '../../../cli/read-secret.ts'
import {readText} from '../../../cli/read-text.ts'
import {Failure} from '../../../errors/failure.ts'
import {
  contractFolder,
  contractNames,
  removeContract,
  removeContracts,
  StoredContract,
} from '../../../imported/commands.ts'
import {type ContractFacts, type ImportResult, importDocument} from '../../../imported/index.ts'
import {readDocumentFile} from '../../../input/read-document-file.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {checkNewName} from '../../../profiles/index.ts'
import {unknownContract} from './contracts.ts'
import {TAKEN_FLAGS} from './flags.ts'

export const importFlags = {
  name: Flags.string({required: true, summary: 'Name of the contract.'}),
  prefix: Flags.string({
    helpValue: '/v2',
    summary: 'Prefix for every path of the document, below the base URL of the profile.',
  }),
  effects: Flags.string({
    helpValue: 'FILE',
    summary:
      'File with one effect per line, for example "searchOrders: read". Replaces the effect that follows from the method.',
  }),
  secrets: Flags.string({
    helpValue: 'FILE',
    summary:
      'File that says what fields hold: secret, personal, id or plain, for example "user_token: id". contract show --secrets prints one.',
  }),
}

type ImportFlags = FlagValues<typeof importFlags>

/** @throws Failure INPUT_INVALID for a document, name, prefix or effects that can't be used. */
export async function importContract(
  context: Context,
  file: string,
  {name, prefix, effects, secrets}: ImportFlags,
): Promise<ImportResult & {readonly profile: string}> {
  const {surroundings, folders} = context
  checkNewName(name)
  const {name: profile} = await context.service.chosen()
  const source =
    file === '-'
      ? {text: await readText(readStdin(surroundings, 'the document'), 'stdin'), name: 'stdin'}
      : {file}
  const options = {
    name,
    folder: contractFolder(folders.data, profile),
    source: file === '-' ? 'stdin' : file,
    importedAt: new Date(surroundings.now()).toISOString(),
    prefix: plainPrefix(prefix),
    effects: await textOf(effects),
    secrets: await textOf(secrets),
    takenFlags: TAKEN_FLAGS,
    platform: surroundings.platform,
  }
  // The file of a contract is replaced as a whole.
  const result = await surroundings.abandonably(() => importDocument(source, options))
  return {...result, profile}
}

const textOf = async (file: string | undefined) =>
  file === undefined ? undefined : {text: await readDocumentFile(file, LIMITS.body.bytes), name: file}

function plainPrefix(prefix = ''): string {
  const path = prefix.replace(/\/+$/, '')
  if (path === '') return ''
  const rooted = path.startsWith('/') ? path : `/${path}`
  if (/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(rooted)) return rooted
  throw new Failure('INPUT_INVALID', {message: 'The prefix is not a plain path such as /v2.', effect: 'none'})
}

export async function listContracts(context: Context): Promise<ContractFacts[]> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  return contractNames(folder).map(name => {
    using contract = new StoredContract(folder, name)
    return contract.facts
  })
}

/** Returns the profile's name. @throws Failure USAGE if there is no such contract */
export async function removeContractOf(context: Context, name: string): Promise<string> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  const names = contractNames(folder)
  if (!names.includes(name)) throw unknownContract(profile, names, name)
  await removeContract(folder, name)
  return profile
}

/** Removes the contracts of a removed profile. */
export async function removeContractsOf(context: Context, profile: string): Promise<void> {
  await removeContracts(contractFolder(context.folders.data, profile))
}
