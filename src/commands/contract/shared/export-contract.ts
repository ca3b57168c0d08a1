import type {Config} from '@oclif/core/config'
import type {Context} from '../../../cli/context.ts'
import {readTextFile} from '../../../cli/read-text.ts'
import {ownContractFile} from './read-contract.ts'

/** Prints the document: for people and as YAML the text as it is written, comments included. */
export async function exportContract(context: Context, config: Config): Promise<unknown> {
  const {printer, surroundings, outputOptions} = context
  const {format, query, columns} = outputOptions
  const text = await readTextFile(ownContractFile(config), surroundings)
  if ((format === 'table' || format === 'yaml') && query === undefined && columns === undefined) {
    await printer.chunk(text)
    return undefined
  }
  // Door: YAML.
  const {parse} = await import('yaml')
  const document: unknown = parse(text)
  await printer.data(document)
  return document
}
