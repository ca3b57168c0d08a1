import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {contractFolder, contractNames, StoredContract, type Taken} from '../../../imported/index.ts'
import {table} from '../../../output/table.ts'
import type {View} from '../../../output/view.ts'
import {unknownContract} from '../../x/shared/contracts.ts'

/** What the fields of an imported contract were taken for, by their names. @throws Failure USAGE if it isn't clear which */
export async function fieldsOfContract(
  context: Context,
  wanted: string | undefined,
): Promise<Readonly<Record<string, Taken>>> {
  const {name: profile} = await context.service.chosen()
  const folder = contractFolder(context.folders.data, profile)
  const names = contractNames(folder)
  const [only, ...others] = names
  if (wanted === undefined && (only === undefined || others.length > 0)) {
    throw new Failure('USAGE', {
      message:
        only === undefined
          ? `No contract was imported into the profile ${profile}.`
          : `The profile ${profile} has several contracts: ${names.join(', ')}.`,
      hint:
        only === undefined
          ? advice`See ${cardctl('contract', 'import', '--help')}`
          : 'Name one with --contract.',
      effect: 'none',
    })
  }
  const name = wanted ?? only ?? ''
  if (!names.includes(name)) throw unknownContract(profile, names, name)
  using contract = new StoredContract(folder, name)
  return contract.fields
}

export const fieldKindsView: View = (fields, context) =>
  table(
    'field',
    [
      {title: 'Field', value: ([name]) => name, fit: 'keep'},
      {title: 'Taken for', value: ([, {kind}]) => kind, fit: 'keep'},
      {title: 'Why', value: ([, {why}]) => why, fit: 'wrap', least: 12},
    ],
    Object.entries(fields as Readonly<Record<string, Taken>>),
    context,
    'No field was taken for a secret, for personal data or for an id.',
  )
