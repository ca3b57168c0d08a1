import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import {type FileHandle, open, rename, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'

export type Pieces = AsyncIterable<string> | Iterable<string>

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
    await rename(path, file)
    return handle
  } catch (error) {
    await handle.close()
    await rm(path, {force: true})
    throw error
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
    waiting.push(piece)
    length += piece.length
    if (length >= 65_536) await flush()
  }
  await flush()
}

/** A new, empty file in the same folder. */
async function makeBeside(file: string): Promise<{handle: FileHandle; path: string}> {
  const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY} = constants
  const path = join(dirname(file), `.cardctl-${randomBytes(6).toString('hex')}.tmp`)
  return {handle: await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), path}
}
