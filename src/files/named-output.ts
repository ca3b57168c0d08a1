import {createHash} from 'node:crypto'
import {constants, createReadStream} from 'node:fs'
import {access, type FileHandle, lstat, open, rm, stat} from 'node:fs/promises'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import {linkNew} from './place-file.ts'
import {
  makeBeside,
  type Pieces,
  renameOver,
  replaceFile,
  replaceOpen,
  tryFolder,
  writeAll,
} from './replace-file.ts'

/** A file that grows while something runs. */
export interface GrowingFile {
  append(text: Pieces): Promise<void>
  close(): Promise<void>
}

/**
 * Sees whether a file that somebody named can be written, before there is anything to write: what comes after an effect
 * must not fail for a mistyped path.
 *
 * @throws Failure OUTPUT_UNWRITABLE, USAGE
 */
export function proveWritable(file: string): Promise<void> {
  return naming(file, async () => {
    // Opening a pipe would wait for its reader.
    if ((await kindOf(file)) === 'stream') await access(file, constants.W_OK)
    else await tryFolder(file)
  })
}

/**
 * Writes a file that somebody named, for its owner alone to read. An existing file is replaced; pipes and devices are
 * written to.
 *
 * @throws Failure OUTPUT_UNWRITABLE
 */
export function writeNamedFile(file: string, text: Pieces): Promise<void> {
  return naming(file, async () => {
    if ((await kindOf(file)) === 'file') return replaceFile(file, text)
    await writeStream(file, text)
  })
}

/**
 * As `writeNamedFile`, for what a person corrects and sends: a file that has other content stays as it is.
 *
 * @returns whether the file has this content now.
 * @throws Failure OUTPUT_UNWRITABLE
 */
export function writeUnlessOther(file: string, text: Pieces): Promise<boolean> {
  return naming(file, async () => {
    if ((await kindOf(file)) === 'stream') {
      await writeStream(file, text)
      return true
    }
    const {handle, path} = await makeBeside(file)
    try {
      await writeAll(handle, text)
      await handle.sync()
      if (linkNew(path, file, 0o600)) return true
      if ((await stat(file)).size > 0) return (await hashOf(path)) === (await hashOf(file))
      // Nothing was in it that could be lost.
      await renameOver(path, file)
      return true
    } finally {
      await handle.close()
      await rm(path, {force: true})
    }
  })
}

/** What is said of a file that `writeUnlessOther` left. */
export const keptWords = (file: string): string =>
  `${file} is there already with other content, perhaps corrected: it was left as it is.`

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes)
  return hash.digest('hex')
}

/**
 * Writes a file that doesn't exist yet, whole or not at all, for its owner alone to read. Nothing is ever replaced.
 *
 * @throws Failure OUTPUT_UNWRITABLE
 */
export function writeNewFile(file: string, text: Pieces): Promise<void> {
  return naming(file, async () => {
    await refuseExisting(file)
    const {handle, path} = await makeBeside(file)
    try {
      await writeAll(handle, text)
      await handle.sync()
      if (!linkNew(path, file, 0o600)) throw exists(file)
    } finally {
      await handle.close()
      await rm(path, {force: true})
    }
  })
}

/** Sees whether `writeNewFile` can write the file. @throws Failure OUTPUT_UNWRITABLE, USAGE */
export function proveNewFile(file: string): Promise<void> {
  return naming(file, async () => {
    await refuseExisting(file)
    await tryFolder(file)
  })
}

async function refuseExisting(file: string): Promise<void> {
  const kind = await kindOf(file)
  const found = await lstat(file).catch(() => undefined)
  if (kind === 'stream' || found !== undefined) throw exists(file)
}

const exists = (file: string): Failure => unwritable(file, 'it exists already', 'Name another file.')

/** As `writeNamedFile`, for what comes bit by bit: each bit can be read at once. @throws Failure OUTPUT_UNWRITABLE */
export function openGrowingFile(file: string): Promise<GrowingFile> {
  return naming(file, async () => {
    const handle =
      (await kindOf(file)) === 'file'
        ? await replaceOpen(file, async () => undefined)
        : await openStream(file)
    return {
      append: text => naming(file, () => writeAll(handle, text)),
      close: () => naming(file, () => handle.close()),
    }
  })
}

/** @throws the system's error; Failure for what is never written to. */
async function kindOf(file: string): Promise<'file' | 'stream'> {
  if (file === '-' || file === '') {
    throw new Failure('USAGE', {
      message: file === '' ? 'The file to write has no name.' : 'A file is needed here, and - is none.',
      hint: 'Name a file; /dev/stdout is one, too.',
      effect: 'none',
    })
  }
  const found = await lstat(file).catch(error => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return 'file'
  // /dev/stdout and what a shell makes of >(…) are links to pipes and terminals.
  const meant = found.isSymbolicLink() ? await stat(file).catch(() => found) : found
  if (meant.isDirectory()) throw unwritable(file, 'it is a folder')
  const isPlain = meant.isFile() || meant.isSymbolicLink()
  if (isPlain && found.isSymbolicLink()) {
    throw unwritable(file, 'it is a link to a file', 'Name the file itself; for stdout, use -.')
  }
  // It would be replaced, whatever its own mode says.
  if (isPlain) await access(file, constants.W_OK)
  return isPlain ? 'file' : 'stream'
}

async function writeStream(file: string, text: Pieces): Promise<void> {
  const handle = await openStream(file)
  try {
    await writeAll(handle, text)
  } finally {
    await handle.close()
  }
}

async function openStream(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_WRONLY | constants.O_NOCTTY)
  if (!(await handle.stat()).isFile()) return handle
  await handle.close()
  throw unwritable(file, 'it became a file meanwhile')
}

async function naming<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure || errnoOf(error) === undefined) throw error
    const isFolder = errnoOf(error) === 'ENOENT'
    throw unwritable(file, isFolder ? 'its folder is not there' : reasonOf(error))
  }
}

const unwritable = (file: string, why: string, hint?: string): Failure =>
  new Failure('OUTPUT_UNWRITABLE', {message: `${file} cannot be written: ${why}.`, hint})
