import {Writable} from 'node:stream'
import {expect, it} from 'vitest'
import {openLog} from '../../src/output/log-stream.ts'

function logged(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const lines: string[] = []
  const target = new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      lines.push(...text.trimEnd().split('\n'))
      done()
    },
  })
  const {stream, flush} = openLog(target, {now: () => 0})
  for (const chunk of chunks) stream.write(chunk)
  flush()
  flush()
  return lines.map(line => (JSON.parse(line) as {message: string}).message)
}

it('writes a last line that has no line end, once', () => {
  expect(logged('first\nsecond')).toEqual(['first', 'second'])
})

it('puts a character together that is cut between chunks', () => {
  const bytes = Buffer.from('größer\n')
  expect(logged(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(['größer'])
})
