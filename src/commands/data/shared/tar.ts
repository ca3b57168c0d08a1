import {createReadStream} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'

/** A file of an archive: its name there, and where its content is. */
export interface Packed {
  readonly name: string
  readonly content: {readonly file: string; readonly size: number} | string
}

const BLOCK = 512
/** POSIX ustar: 11 octal digits. */
const LARGEST = 8 ** 11 - 1

/** The bytes of a tar archive (POSIX ustar) of regular files, so that `age -d FILE | tar x` unpacks it. */
export async function* packed(files: Iterable<Packed>, mtime: number): AsyncGenerator<Uint8Array> {
  for (const {name, content} of files) {
    if (typeof content === 'string') {
      const bytes = Buffer.from(content)
      yield header(name, bytes.length, mtime)
      yield bytes
      yield padding(bytes.length)
      continue
    }
    yield header(name, content.size, mtime)
    if (content.size > 0) yield* createReadStream(content.file, {end: content.size - 1})
    yield padding(content.size)
  }
  yield Buffer.alloc(2 * BLOCK)
}

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

function header(name: string, size: number, mtime: number): Buffer {
  if (Buffer.byteLength(name) > 100 || size > LARGEST) throw new Error(`${name} does not fit into an archive`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(name, 0)
  block.write(`${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}`, 100)
  block.write(octal(Math.floor(mtime / 1000), 12), 136)
  block.write('        0', 148)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** The archive ends too early, or has what `packed` never writes. */
export class NotAnArchive extends Error {}

/**
 * Writes the files of an archive into a folder, each for its owner alone.
 *
 * @param accept whether a name is expected; any other is an error, so no name leads out of the folder.
 * @throws NotAnArchive
 */
export async function unpack(
  pieces: AsyncIterable<Uint8Array>,
  folder: string,
  accept: (name: string) => boolean,
): Promise<readonly string[]> {
  const input = new Pieces(pieces)
  const names: string[] = []
  for (;;) {
    const block = Buffer.concat(await input.take(BLOCK))
    // Two empty blocks end the archive; what follows the first one means nothing.
    if (block.every(byte => byte === 0)) {
      await input.drain()
      return names
    }
    const {name, size} = parseHeader(block)
    if (!accept(name) || names.includes(name)) throw new NotAnArchive(name)
    const handle = await open(join(folder, name.replaceAll('/', '_')), 'wx', 0o600)
    try {
      for (let left = size; left > 0; ) {
        const some = await input.take(Math.min(left, 65_536))
        for (const piece of some) await handle.writeFile(piece)
        left -= Math.min(left, 65_536)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await input.take((BLOCK - (size % BLOCK)) % BLOCK)
    names.push(name)
  }
}

function parseHeader(block: Buffer): {name: string; size: number} {
  const text = (from: number, to: number) => block.toString('latin1', from, to).replace(/\0.*$/s, '')
  const size = Number.parseInt(text(124, 136), 8)
  if (text(257, 262) !== 'ustar' || text(156, 157) !== '0' || !Number.isSafeInteger(size)) {
    throw new NotAnArchive('header')
  }
  return {name: text(0, 100), size}
}

/** Pieces of any length, taken by number of bytes. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(count: number): Promise<Uint8Array[]> {
    const taken: Uint8Array[] = []
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next()
        if (next.done) throw new NotAnArchive('end')
        this.#rest = next.value
      }
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      taken.push(piece)
    }
    return taken
  }

  /** Reads to the end: an encrypted file is known to be whole only there. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}
