import {StringDecoder} from 'node:string_decoder'

/** Maximum length of a line, in characters. */
const MOST_HELD = 64 * 1024

/** Cuts a stream into lines. The rest of a very long one is dropped, so that the memory stays bounded. */
export function lineReader(act: (line: string) => void): {take(piece: Buffer): void; end(): void} {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    take: piece => {
      const lines = (rest + decoder.write(piece)).split(/\r?\n/)
      rest = (lines.pop() ?? '').slice(0, MOST_HELD)
      for (const line of lines) act(line)
    },
    end: () => {
      if (rest !== '') act(rest)
    },
  }
}
