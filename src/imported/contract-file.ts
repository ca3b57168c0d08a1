import {hash} from 'node:crypto'
import {closeSync, readdirSync, readFileSync, readSync} from 'node:fs'
import {join} from 'node:path'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {openOwnFile} from '../files/open-own-file.ts'
import type {ContractFacts, ImportedOperation, ListedTag, Taken} from './contract-form.ts'
import type {Schema} from './document/document.ts'

/** The position and length of a part of the file, in bytes. */
export type Slice = readonly [at: number, length: number]

/** The first line of the file; small for documents of any size. */
export interface Head {
  readonly format: number
  readonly facts: ContractFacts
  readonly tags: Readonly<Record<string, Slice>>
  readonly schemas: Slice
  readonly fields: Slice
}

export interface TagPart extends ListedTag {
  readonly places: Readonly<Record<string, Slice>>
}

export const FORMAT = 2
const ENDING = '.contract'
/** Number of digits of the head's length, which is written before the head. */
export const DIGITS = 12

/** Each profile has its own folder of contracts. */
export const contractFolder = (data: string, profile: string): string => join(data, 'contracts', profile)

export const fileOf = (folder: string, name: string): string => join(folder, `${name}${ENDING}`)

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

  /** What fields were taken for, by their names. */
  get fields(): Readonly<Record<string, Taken>> {
    return this.#part(this.#head.fields)
  }

  /** SHA-256 of the file, in hex: another one after each import. */
  digest(): string {
    return hash('sha256', readFileSync(this.#file))
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
      hint: advice`Import the document again: ${cardctl('contract', 'import', {value: 'FILE'}, '--name', {value: 'NAME'})}`,
      effect: 'none',
    })
  }
}
