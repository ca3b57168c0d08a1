import {randomBytes} from 'node:crypto'
import {mkdirSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import type {TrailCopy} from '../../../audit/index.ts'
import {isRunning} from '../../../children/running.ts'
import type {Context} from '../../../cli/context.ts'
import {isObject, parseObject} from '../../../errors/is-object.ts'
import type {Signature} from './machine-key.ts'

export const FORMAT = 'cardctl data 2'
export const MANIFEST = 'manifest.json'
/** The signature of the manifest. */
export const SIGNATURE = 'signature.json'
export const TRAIL = 'audit.ndjson'
export const TRAIL_KEY = 'audit.key'

/** What an exported file says about itself: the first file in it. */
export interface Manifest {
  readonly format: typeof FORMAT
  /** Of cardctl. */
  readonly version: string
  /** ISO 8601, UTC. */
  readonly exportedAt: string
  /** Whether the machine that it came from sends nothing any more. */
  readonly moved: boolean
  /** SHA-256 of each other file, in hex, by its name. */
  readonly files: Readonly<Record<string, string>>
  readonly journals: readonly {readonly id: string; readonly service: string}[]
  /** Where the audit trail ends, if the file has it. */
  readonly audit?: TrailCopy['head'] | undefined
}

const ID = /^[\w.-]{1,120}$/

/** The manifest; its format if that is another one; undefined if it is none. */
export function parseManifest(text: string): Manifest | string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || typeof value.format !== 'string') return undefined
  if (value.format !== FORMAT) return value.format
  const {version, exportedAt, moved, files, journals, audit} = value
  const isManifest =
    typeof version === 'string' &&
    typeof exportedAt === 'string' &&
    !Number.isNaN(Date.parse(exportedAt)) &&
    typeof moved === 'boolean' &&
    isObject(files) &&
    Array.isArray(journals) &&
    journals.every(one => isObject(one) && typeof one.id === 'string' && ID.test(one.id)) &&
    journals.every(({service}) => typeof service === 'string') &&
    (audit === undefined || isHead(audit))
  return isManifest ? (value as unknown as Manifest) : undefined
}

/** Undefined if it is none. */
export function parseSignature(text: string): Signature | undefined {
  const value = parseObject(text)
  const {publicKey, signature} = value ?? {}
  return typeof publicKey === 'string' && typeof signature === 'string' ? {publicKey, signature} : undefined
}

const isHead = (value: unknown): value is TrailCopy['head'] =>
  isObject(value) &&
  Number.isSafeInteger(value.seq) &&
  Number.isSafeInteger(value.size) &&
  typeof value.hash === 'string'

/** Names of the files in an archive. */
export const isFileName = (name: string): boolean =>
  [MANIFEST, SIGNATURE, TRAIL, TRAIL_KEY].includes(name) ||
  /^journal\/[\w.-]{1,120}\.(?:db|json|key)$/.test(name)

/** Where `unpack` writes a file. */
export const unpackedAs = (name: string): string => name.replaceAll('/', '_')

const NAME = /^transfer-(\d+)-[0-9a-f]{12}$/

/**
 * Works in a folder of its own inside the data folder, and removes it. Also removes those of killed processes.
 */
export async function inTransferFolder<T>(
  {folders: {data}, surroundings}: Context,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  mkdirSync(data, {recursive: true, mode: 0o700})
  removeKilled(data)
  const folder = join(data, `transfer-${surroundings.pid}-${randomBytes(6).toString('hex')}`)
  mkdirSync(folder, {mode: 0o700})
  const remove = () => rmSync(folder, {recursive: true, force: true})
  const stop = surroundings.atExit(remove)
  try {
    return await work(folder)
  } finally {
    stop()
    remove()
  }
}

/** Removes the folders of killed processes. @returns that of one that still runs. */
export function removeKilled(data: string): string | undefined {
  let running: string | undefined
  for (const name of readdirSync(data)) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid === undefined) continue
    if (isRunning(Number(pid))) running = join(data, name)
    else rmSync(join(data, name), {recursive: true, force: true})
  }
  return running
}

/** The files of a journal in its folder. */
export const journalFolderOf = (data: string): string => join(data, 'journal')
