import {basename} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {decodeKept, isKeptId} from '../../../cli/proposal-content.ts'
import {Failure} from '../../../errors/failure.ts'
import {reasonOf} from '../../../errors/system-reason.ts'
import {writeNewFile} from '../../../files/named-output.ts'
import {readWhole} from '../../../input/read-input.ts'
import {placeWords} from '../../../profiles/index.ts'
import {maskText} from '../../../sensitive/mask-text.ts'

const LARGEST = 64 * 1024 * 1024

/** A proposal of another machine, as a file with its name. @throws Failure INPUT_INVALID */
export async function readProposal({surroundings}: Context, file: string) {
  const id = basename(file).replace(/\.json$/, '')
  if (!isKeptId(id)) throw unusable(file, 'its name is not the id of a proposal and .json')
  const bytes = await readWhole(file, surroundings.signal, LARGEST).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    throw unusable(file, reasonOf(error))
  })
  const content = bytes && decodeKept(id, bytes)
  if (content === undefined)
    throw unusable(file, 'what it holds is no proposal of this id, or is for another service than it says')
  return {id, content, address: maskText(placeWords(content.service))}
}

/** @throws Failure OUTPUT_UNWRITABLE */
export const writeApproval = (file: string, approval: object): Promise<void> =>
  writeNewFile(file, `${JSON.stringify(approval, null, 1)}\n`)

export const unusable = (file: string, why: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${file} cannot be used: ${why}.`,
    hint: 'Ask for the file of the proposal again, under its name.',
    effect: 'none',
  })
