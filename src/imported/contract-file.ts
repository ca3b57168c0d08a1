import {closeSync, readdirSync, readSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {openOwnFile} from '../files/open-own-file.ts'
import {replaceFile} from '../files/replace-file.ts'
import {makeFolder} from '../profiles/folders.ts'
import type {Compiled} from './compile/compile.ts'
import type {ContractFacts, ImportedOperation, ListedOperation, ListedTag} from './contract-form.ts'
import type {Schema} from './document/document.ts'

/** The position and length of a part of the file, in bytes. */
type Slice = readonly [at: number, length: number]

/** The first line of the file; small for documents of any size. */
interface Head {
  readonly format: number
  readonly facts: ContractFacts
  readonly tags: Readonly<Record<string, Slice>>
  readonly schemas: Slice
}

interface TagPart extends ListedTag {
  readonly places: Readonly<Record<string, Slice>>
}

const FORMAT = 1
const ENDING = '.contract'
/** Number of digits of the head's length, which is written before the head. */
const DIGITS = 12

/** Each profile has its own folder of contracts. */
export const contractFolder = (data: string, profile: string): string => join(data, 'contracts', profile)

const fileOf = (folder: string, name: string): string => join(folder, `${name}${ENDING}`)

/** Names of the contracts that a profile has. */
export function contractNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(file => file.endsWith(ENDING) && !file.startsWith('.'))
      .map(file => file.slice(0, -ENDING.length))
      .sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw new Failure('CONFIG_UNREADABLE', {
      message: `${folder} cannot be read.`,
      effect: 'none',
      cause: error,
    })
  }
}

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
  await makeFolder(folder, platform)
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

/** An imported contract, read part by part. Close it after use. */
export class StoredContract {
  readonly #file: string
  readonly #descriptor: number
  readonly #head: Head
  /** Where the parts begin. */
  readonly #start: number
  #schemaPlaces: Readonly<Record<string, Slice>> | undefined

  /** @throws Failure CONFIG_UNREADABLE; CONFIG_DAMAGED for a file that this version did not write */
  constructor(folder: string, name: string) {
    this.#file = fileOf(folder, name)
    this.#descriptor = openOwnFile(this.#file)
    try {
      const size = Number(this.#read(0, DIGITS))
      if (!Number.isSafeInteger(size) || size > 64 * 1024 * 1024) throw this.#damaged()
      this.#start = DIGITS + 1 + size + 1
      this.#head = this.#parse<Head>(this.#read(DIGITS + 1, size))
      if (this.#head.format !== FORMAT) throw this.#damaged()
    } catch (error) {
      this.close()
      throw error
    }
  }

  get facts(): ContractFacts {
    return this.#head.facts
  }

  get tags(): readonly string[] {
    return Object.keys(this.#head.tags)
  }

  tag(name: string): ListedTag | undefined {
    return this.#tagPart(name)
  }

  operation(tag: string, name: string): ImportedOperation | undefined {
    const places = this.#tagPart(tag)?.places
    const slice = places && Object.hasOwn(places, name) ? places[name] : undefined
    return slice && this.#part<ImportedOperation>(slice)
  }

  /** One of the schemas that others refer to. */
  schema(name: string): Schema | undefined {
    const places = this.#places()
    const slice = Object.hasOwn(places, name) ? places[name] : undefined
    return slice && this.#part<Schema>(slice)
  }

  get schemaNames(): readonly string[] {
    return Object.keys(this.#places())
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #places(): Readonly<Record<string, Slice>> {
    this.#schemaPlaces ??= this.#part<Readonly<Record<string, Slice>>>(this.#head.schemas)
    return this.#schemaPlaces
  }

  #tagPart(name: string): TagPart | undefined {
    const slice = Object.hasOwn(this.#head.tags, name) ? this.#head.tags[name] : undefined
    return slice && this.#part<TagPart>(slice)
  }

  #part<T>([at, length]: Slice): T {
    return this.#parse<T>(this.#read(this.#start + at, length))
  }

  #read(at: number, length: number): string {
    const bytes = Buffer.alloc(length)
    if (readSync(this.#descriptor, bytes, 0, length, at) !== length) throw this.#damaged()
    return bytes.toString('utf8')
  }

  #parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T
    } catch {
      throw this.#damaged()
    }
  }

  #damaged(): Failure {
    return new Failure('CONFIG_DAMAGED', {
      message: `${this.#file} is damaged, or another version wrote it.`,
      hint: 'Import the document again with contract import.',
      effect: 'none',
    })
  }
}
