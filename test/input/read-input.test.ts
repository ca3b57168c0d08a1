import {execFileSync} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {PassThrough} from 'node:stream'
import {expect, onTestFinished, test, vi} from 'vitest'
import {readInput, untilAborted} from '../../src/input/read-input.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'cardctl-input-'))
  onTestFinished(() => rm(made, {recursive: true}))
  return made
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const piece of pieces) chunks.push(piece)
  return Buffer.concat(chunks).toString()
}

const never = new AbortController().signal
const big = 'a line of text\n'.repeat(20_000)

test('a file is read to its end', async () => {
  const file = join(await folder(), 'file')
  await writeFile(file, big)
  expect(await textOf(readInput(file, never))).toBe(big)
})

test('a pipe is read to its end, also when its writer comes later', async () => {
  const pipe = join(await folder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const text = textOf(readInput(pipe, never))
  await writeFile(pipe, big)
  expect(await text).toBe(big)
})

test.each([
  ['SIGINT', 'INTERRUPTED'],
  ['SIGTERM', 'TERMINATED'],
])('the wait for a pipe without a writer ends with %s', async (signal, code) => {
  const pipe = join(await folder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const stop = new AbortController()
  const listening = vi.spyOn(stop.signal, 'addEventListener')
  const text = textOf(readInput(pipe, stop.signal))
  await expect.poll(() => listening.mock.calls.length).toBe(1)
  stop.abort(signal)
  await expect(text).rejects.toMatchObject({code})
  await expect(textOf(readInput(pipe, stop.signal))).rejects.toMatchObject({code})
})

test('reports the system error for a missing file', async () => {
  await expect(textOf(readInput(join(await folder(), 'none'), never))).rejects.toMatchObject({code: 'ENOENT'})
})

test('a stream is left open for its next reader', async () => {
  const stream = new PassThrough()
  stream.write('one')
  for await (const piece of untilAborted(stream, never)) {
    expect(String(piece)).toBe('one')
    break
  }
  stream.end('two')
  expect(await textOf(untilAborted(stream, never))).toBe('two')
})
