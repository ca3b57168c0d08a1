import {execFileSync} from 'node:child_process'
import {globSync} from 'node:fs'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {openGrowingFile, proveWritable, writeNamedFile} from '../../src/files/named-output.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardctl-files-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, {recursive: true, force: true})
})

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)
const unwritable = (words: string) =>
  expect.objectContaining({code: 'OUTPUT_UNWRITABLE', message: expect.stringContaining(words)})
const isRoot = process.getuid?.() === 0

describe('writeNamedFile', () => {
  test('creates a file that only its owner can read, and leaves nothing beside it', async () => {
    const file = join(folder, 'out')
    await writeNamedFile(file, ['a', 'ä', '\n'])
    expect(await readFile(file, 'utf8')).toBe('aä\n')
    expect(await modeOf(file)).toBe('600')
    expect(await readdir(folder)).toEqual(['out'])
  })

  test('removes the permissions of others from an existing file', async () => {
    const file = join(folder, 'out')
    await writeFile(file, 'something longer')
    await chmod(file, 0o666)
    await writeNamedFile(file, ['new'])
    expect(await readFile(file, 'utf8')).toBe('new')
    expect(await modeOf(file)).toBe('600')
  })

  test('an open handle or another name of the old file does not see the new one', async () => {
    const file = join(folder, 'out')
    await writeFile(file, 'old')
    await link(file, join(folder, 'other'))
    await using old = await open(file)
    await writeNamedFile(file, ['new'])
    expect(await old.readFile('utf8')).toBe('old')
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('old')
  })

  test('keeps the old content if the new one is incomplete', async () => {
    const file = join(folder, 'out')
    await writeFile(file, 'old')
    async function* broken() {
      yield 'new'
      throw new Error('no more')
    }
    await expect(writeNamedFile(file, broken())).rejects.toThrow('no more')
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['out'])
  })

  test.each(['a file', 'nothing'])('never writes through a link to %s', async target => {
    const [file, there] = [join(folder, 'out'), join(folder, 'there')]
    if (target === 'a file') await writeFile(there, 'kept')
    await symlink(there, file)
    const writes = [() => proveWritable(file), () => writeNamedFile(file, ['x']), () => openGrowingFile(file)]
    for (const write of writes) {
      await expect(write()).rejects.toEqual(unwritable('it is a link to a file'))
    }
    expect(await readdir(folder)).toEqual(target === 'a file' ? ['out', 'there'] : ['out'])
    if (target === 'a file') expect(await readFile(there, 'utf8')).toBe('kept')
  })

  test('writes to devices and to pipes, also by a link', async () => {
    await writeNamedFile('/dev/null', ['x'])
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    await symlink(pipe, join(folder, 'named'))
    for (const name of ['pipe', 'named']) {
      const read = readFile(pipe, 'utf8')
      await proveWritable(join(folder, name))
      await writeNamedFile(join(folder, name), ['through'])
      expect(await read).toBe('through')
    }
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })
})

test('openGrowingFile shows each bit at once, in a file of its own', async () => {
  const file = join(folder, 'out')
  await writeFile(file, 'old')
  await chmod(file, 0o644)
  const growing = await openGrowingFile(file)
  await growing.append(['a\n'])
  expect(await readFile(file, 'utf8')).toBe('a\n')
  await growing.append(['b\n'])
  await growing.close()
  expect(await readFile(file, 'utf8')).toBe('a\nb\n')
  expect(await modeOf(file)).toBe('600')
})

describe('proveWritable', () => {
  test('leaves no trace', async () => {
    await proveWritable(join(folder, 'out'))
    expect(await readdir(folder)).toEqual([])
  })

  test.each([
    ['a folder that is not there', 'no/out', 'its folder is not there'],
    ['a folder', 'sub', 'it is a folder'],
    ['a file on the way', 'file/out', 'a part of its path is not a folder'],
  ])('refuses %s', async (_, name, words) => {
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'file'), '')
    await expect(proveWritable(join(folder, name))).rejects.toEqual(unwritable(words))
  })

  test.skipIf(isRoot)('refuses what may not be written', async () => {
    const file = join(folder, 'out')
    await writeFile(file, '')
    await chmod(file, 0o400)
    await expect(proveWritable(file)).rejects.toEqual(unwritable('access is denied'))
    await rm(file)
    await chmod(folder, 0o500)
    await expect(proveWritable(file)).rejects.toEqual(unwritable('access is denied'))
  })

  test.each(['-', ''])('refuses %j, which is no file', async name => {
    await expect(proveWritable(name)).rejects.toMatchObject({code: 'USAGE'})
  })
})

test('no other room makes files by a call that follows links or keeps their mode', async () => {
  // What is open already is made by nobody.
  const makers = /(?<!handle\.)\b(?:writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync)\(/
  const found = []
  for (const file of globSync('src/**/*.{ts,js}')) {
    const lines = (await readFile(file, 'utf8')).split('\n')
    // What must be new can neither be a link nor have a mode yet.
    if (lines.some(line => makers.test(line) && !line.includes("flag: 'wx'"))) found.push(file)
  }
  expect(found).toEqual([])
})
