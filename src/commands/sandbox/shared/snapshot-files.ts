import {existsSync, lstatSync, rmSync, unlinkSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {fileFailure} from '../../../files/file-failure.ts'
import {listFiles} from '../../../files/list-files.ts'
import {makeOwnFolder} from '../../../files/make-folder.ts'
import {writeNamedFile, writeNewFile} from '../../../files/named-output.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {readWhole, unreadableInput} from '../../../input/read-input.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {checkSnapshot, type Snapshot} from '../../../sandbox/index.ts'

/** Where a snapshot is: under a name in the data folder, or in a file of the user's choice. */
export interface SnapshotPlace {
  /** Undefined for a file of the user's choice. */
  readonly name: string | undefined
  readonly file: string
  /** Begins messages: `The snapshot before-july`, or the file. */
  readonly what: string
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const END = '.json'
/** Names of what loads have replaced begin with it. */
const REPLACED = 'before-load-'
/** How many of them are kept. */
const MOST_REPLACED = 10
/** A sandbox takes no larger request; written with line breaks, a snapshot has a few bytes more. */
const LARGEST = 2 * LIMITS.request.bytes

const folderOf = (context: Context): string => join(context.folders.data, 'sandbox', 'snapshots')

/** A word with a slash is a file. @throws Failure USAGE for a word that is neither */
export function snapshotPlace(context: Context, word: string): SnapshotPlace {
  const isPath = word.includes('/') || (context.surroundings.platform === 'win32' && word.includes('\\'))
  if (isPath) return {name: undefined, file: resolve(word), what: word}
  if (!NAME.test(word) || word.toLowerCase().endsWith(END)) {
    throw new Failure('USAGE', {
      message:
        'The name of a snapshot has 1 to 64 characters: letters, digits, dots, - and _. It begins with a letter or digit, and does not end with .json.',
      hint: 'For a file, write its path with a slash, for example ./fixture.json.',
      effect: 'none',
    })
  }
  return named(context, word)
}

const named = (context: Context, name: string): SnapshotPlace => ({
  name,
  file: join(folderOf(context), `${name}${END}`),
  what: `The snapshot ${name}`,
})

/** A snapshot that is kept by name, whatever is in it. @throws Failure USAGE, NOT_FOUND */
export function namedSnapshot(context: Context, name: string): SnapshotPlace {
  const place = snapshotPlace(context, name)
  if (place.name === undefined) {
    throw new Failure('USAGE', {
      message: `${name} is a file, and this is for snapshots that are kept by name.`,
      effect: 'none',
    })
  }
  if (!existsSync(place.file)) throw noSnapshot(name)
  return place
}

const noSnapshot = (name: string): Failure =>
  new Failure('NOT_FOUND', {
    message: `There is no snapshot ${name}.`,
    hint: advice`List them: ${cardctl('sandbox', 'snapshot', 'list')}. For a file, write its path with a slash.`,
    effect: 'none',
  })

/** To be called before anything is asked for. @throws Failure INPUT_INVALID, USAGE */
export function refuseTaken({name, file, what}: SnapshotPlace, replace = false): void {
  if (name?.startsWith(REPLACED)) {
    throw new Failure('USAGE', {
      message: `Names that begin with ${REPLACED} are for what a load replaces; the oldest of them are removed.`,
      hint: 'Choose another name.',
      effect: 'none',
    })
  }
  // Writing to a pipe would wait for its reader.
  if (replace && lstatSync(file, {throwIfNoEntry: false})?.isFIFO()) {
    throw new Failure('INPUT_INVALID', {
      message: `${what} is a named pipe, and a snapshot is written to a file.`,
      hint: 'Name another file.',
      effect: 'none',
    })
  }
  if (replace || !existsSync(file)) return
  throw new Failure('INPUT_INVALID', {
    message: `${what} exists already.`,
    hint: 'Choose another name, or replace it with --replace.',
    effect: 'none',
  })
}

/** Reads a snapshot whole, and checks it. @throws Failure NOT_FOUND, INPUT_INVALID, CONFIG_UNREADABLE */
export async function readSnapshot(context: Context, place: SnapshotPlace): Promise<Snapshot> {
  const bytes = await bytesOf(context, place)
  return checkSnapshot(jsonOf(bytes), place.what)
}

async function bytesOf(context: Context, {name, file, what}: SnapshotPlace): Promise<Buffer> {
  if (name !== undefined) {
    const bytes = readOwnFile(file, LARGEST)
    if (bytes) return bytes
    throw noSnapshot(name)
  }
  try {
    const bytes = await readWhole(file, context.surroundings.signal, LARGEST)
    if (bytes) return bytes
  } catch (error) {
    throw unreadableInput(what, error)
  }
  throw new Failure('INPUT_INVALID', {message: `${what} is too large for a snapshot.`, effect: 'none'})
}

/** Undefined if it is no JSON: what the parser says may quote it. */
function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Writes it whole or not at all, for its owner alone to read. @throws Failure OUTPUT_UNWRITABLE, CONFIG_UNREADABLE */
export async function writeSnapshot(
  context: Context,
  {name, file}: SnapshotPlace,
  snapshot: Snapshot,
  replace = false,
): Promise<void> {
  if (name !== undefined) makeFolder(folderOf(context))
  const text = [`${JSON.stringify(snapshot, null, 2)}\n`]
  await (replace ? writeNamedFile(file, text) : writeNewFile(file, text))
}

export function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder)
  } catch (error) {
    throw fileFailure(folder, 'made', error)
  }
}

/** Keeps what a load is about to replace. @returns its place */
export async function keepReplaced(context: Context, snapshot: Snapshot): Promise<SnapshotPlace> {
  const at = new Date(context.surroundings.now())
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-')
  for (let count = 1; ; count++) {
    const place = named(context, `${REPLACED}${at}${count === 1 ? '' : `-${count}`}`)
    if (existsSync(place.file)) continue
    await writeSnapshot(context, place, snapshot)
    return place
  }
}

/** Removes the oldest of what loads have replaced. */
export async function forgetReplaced(context: Context): Promise<void> {
  const replaced = (await listSnapshots(context)).filter(({name}) => name.startsWith(REPLACED))
  for (const {file} of replaced.sort((a, b) => (a.file < b.file ? -1 : 1)).slice(0, -MOST_REPLACED))
    rmSync(file, {force: true})
}

/** @throws Failure CONFIG_UNREADABLE */
export function removeSnapshot({file}: SnapshotPlace): void {
  try {
    unlinkSync(file)
  } catch (error) {
    throw fileFailure(file, 'written', error)
  }
}

export interface ListedSnapshot {
  readonly name: string
  readonly savedAt: string | null
  /** By the clock of the sandbox. */
  readonly now: string | null
  readonly rows: number | null
  readonly bytes: number
  readonly madeBy: string | null
  /** Why it can't be loaded. */
  readonly problem: string | null
  readonly file: string
}

/** The named snapshots, by name. */
export async function listSnapshots(context: Context): Promise<readonly ListedSnapshot[]> {
  const files = await listFiles(folderOf(context))
  const found = files.filter(({name}) => name.endsWith(END) && NAME.test(name.slice(0, -END.length)))
  return found.map(({name: base, path: file, bytes}) => {
    const name = base.slice(0, -END.length)
    try {
      const content = readOwnFile(file, LARGEST)
      const {savedAt, now, rows, madeBy} = checkSnapshot(content && jsonOf(content), `The snapshot ${name}`)
      return {name, savedAt, now, rows, bytes, madeBy, problem: null, file}
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return {name, savedAt: null, now: null, rows: null, bytes, madeBy: null, problem: error.message, file}
    }
  })
}
