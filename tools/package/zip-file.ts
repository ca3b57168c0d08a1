import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, join, relative, sep} from 'node:path'
import {crc32, deflateRawSync} from 'node:zlib'
import type {ArchiveOptions} from './tarball.ts'

/** That names are UTF-8, and the method that all programs know. */
const UTF8 = 0x0800
const DEFLATE = 8
const VERSION = 20

/**
 * Packs a folder so that the same files give the same bytes: sorted, and of one time. Windows unpacks it without other
 * programs. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, without the parts for files over 4 GB.
 */
export function makeZip(folder: string, archive: string, {date, fast}: ArchiveOptions): string {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const path of filesIn(folder)) {
    const content = readFileSync(path)
    const packed = deflateRawSync(content, {level: fast ? 1 : 9})
    const name = Buffer.from([basename(folder), ...relative(folder, path).split(sep)].join('/'))
    const facts = factsOf(date, content, packed, name)
    const head = Buffer.concat([numbers([0x04034b50, 4]), facts, name, packed])
    // The directory says it again, with where the file begins.
    const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    directory.push(Buffer.concat([numbers([0x02014b50, 4], [VERSION, 2]), facts, place, name]))
    parts.push(head)
    offset += head.length
  }
  const list = Buffer.concat(directory)
  const count = parts.length
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [list.length, 4], [offset, 4], [0, 2])
  writeFileSync(archive, Buffer.concat([...parts, list, end]))
  return archive
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, {withFileTypes: true, recursive: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()

function factsOf(date: number, content: Buffer, packed: Buffer, name: Buffer): Buffer {
  const at = new Date(date * 1000)
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return numbers(
    [VERSION, 2],
    [UTF8, 2],
    [DEFLATE, 2],
    [time, 2],
    [day, 2],
    [crc32(content), 4],
    [packed.length, 4],
    [content.length, 4],
    [name.length, 2],
    [0, 2],
  )
}

/** Little-endian numbers of 2 or 4 bytes. */
function numbers(...values: readonly (readonly [value: number, size: 2 | 4])[]): Buffer {
  return Buffer.concat(
    values.map(([value, size]) => {
      const bytes = Buffer.alloc(size)
      bytes.writeUIntLE(value, 0, size)
      return bytes
    }),
  )
}
