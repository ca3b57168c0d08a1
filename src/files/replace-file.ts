import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import {type FileHandle, open, rename, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {errnoOf} from '../errors/system-reason.ts'

/** Text, or bytes. */
export type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string>

/**
 * Gives a file new content that only its owner may read (0600). It is written beside and renamed, so that others see the
 * old content or the new one, a full disk leaves the old one, and a link in the file's place is replaced and not followed.
 *
 * @throws the system's error.
 */
export async function replaceFile(file: string, text: Pieces): Promise<void> {
  const handle = await replaceOpen(file, async fresh => {
    await writeAll(fresh, text)
    await fresh.sync()
  })
  await handle.close()
}

/** As `replaceFile`, and leaves the new file open, to be added to. `fill` writes what it begins with. */
export async function replaceOpen(
  file: string,
  fill: (fresh: FileHandle) => Promise<void>,
): Promise<FileHandle> {
  const {handle, path} = await makeBeside(file)
  try {
    await fill(handle)
    await renameOver(path, file)
    return handle
  } catch (error) {
    await handle.close()
    await rm(path, {force: true})
    throw error
  }
}

/** How often, and how long apart in ms, a file that is in use is replaced again: 2 s in all. */
const TRIES = 40
const PAUSE_MS = 50

/** On Windows, a scanner or another reader may have the old file open for a moment, and it can't be replaced then. */
export async function renameOver(path: string, file: string): Promise<void> {
  for (let left = process.platform === 'win32' ? TRIES : 1; ; left--) {
    try {
      return await rename(path, file)
    } catch (error) {
      if (left <= 1 || !['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '')) throw error
    }
    await delay(PAUSE_MS)
  }
}

/** @throws the system's error if the folder of the file takes no new files. */
export async function tryFolder(file: string): Promise<void> {
  const {handle, path} = await makeBeside(file)
  await handle.close()
  await rm(path, {force: true})
}

export async function writeAll(handle: FileHandle, text: Pieces): Promise<void> {
  let waiting: string[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(''))
    waiting = []
    length = 0
    for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
  }
  for await (const piece of text) {
    if (typeof piece !== 'string') {
      for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten
      continue
    }
    waiting.push(piece)
    length += piece.length
    if (length >= 65_536) await flush()
  }
  await flush()
}

/** A new, empty file in the same folder. */
export async function makeBeside(file: string): Promise<{handle: FileHandle; path: string}> {
  const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY} = constants
  const path = join(dirname(file), `.cardctl-${randomBytes(6).toString('hex')}.tmp`)
  return {handle: await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), path}
}
