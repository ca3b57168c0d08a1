import {rm} from 'node:fs/promises'
import {replaceFile} from '../files/replace-file.ts'
import {makeFolder} from '../profiles/folder-modes.ts'
import type {Compiled} from './compile/compile.ts'
import {contractNames, DIGITS, FORMAT, fileOf, type Head, type Slice, type TagPart} from './contract-file.ts'
import type {ContractFacts, ListedOperation} from './contract-form.ts'

/**
 * Stores a compiled contract in one file, so that it is replaced as a whole: a head, then a part for each tag,
 * operation and schema. A command reads only the head and the parts that it needs.
 */
export async function writeContract(
  folder: string,
  facts: ContractFacts,
  compiled: Compiled,
  platform: NodeJS.Platform,
): Promise<void> {
  makeFolder(folder, platform)
  const pieces: string[] = []
  let length = 0
  const put = (value: unknown): Slice => {
    const text = JSON.stringify(value)
    const bytes = Buffer.byteLength(text)
    const slice: Slice = [length, bytes]
    pieces.push(text, '\n')
    length += bytes + 1
    return slice
  }
  const tags = new Map<string, {operations: [string, ListedOperation][]; places: [string, Slice][]}>()
  for (const operation of compiled.operations) {
    const {tag, name, method, path, summary, effect, deprecated} = operation
    const part = tags.get(tag) ?? {operations: [], places: []}
    tags.set(tag, part)
    part.operations.push([name, {method, path, summary, effect, ...(deprecated ? {deprecated} : {})}])
    part.places.push([name, put(operation)])
  }
  const schemas = put(Object.fromEntries([...compiled.schemas].map(([name, schema]) => [name, put(schema)])))
  const fields = put(Object.fromEntries([...compiled.taken].toSorted(([a], [b]) => (a < b ? -1 : 1))))
  const head: Head = {
    format: FORMAT,
    facts,
    tags: Object.fromEntries(
      [...tags].map(([tag, {operations, places}]) => {
        const part: TagPart = {
          ...describedTag(compiled, tag),
          operations: Object.fromEntries(operations),
          places: Object.fromEntries(places),
        }
        return [tag, put(part)]
      }),
    ),
    schemas,
    fields,
  }
  const text = JSON.stringify(head)
  const size = String(Buffer.byteLength(text)).padStart(DIGITS, '0')
  await replaceFile(fileOf(folder, facts.name), [`${size}\n`, text, '\n', ...pieces])
}

function describedTag(compiled: Compiled, tag: string): {readonly description?: string} {
  const description = compiled.tags.get(tag)?.description
  return description === undefined ? {} : {description}
}

/** Removes a contract. Returns whether it existed. */
export async function removeContract(folder: string, name: string): Promise<boolean> {
  const isThere = contractNames(folder).includes(name)
  await rm(fileOf(folder, name), {force: true})
  return isThere
}

/** Removes all contracts of a profile. */
export const removeContracts = (folder: string): Promise<void> => rm(folder, {recursive: true, force: true})
