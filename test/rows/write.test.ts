import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {escapeField, escapeText, escapeUnits, jsonLine} from '../../src/output/styled.ts'
import {writeCsv, writeNdjson} from '../../src/output/write-rows.ts'
import {codePoint} from '../helpers/code-point.ts'
import {collect} from './chunks.ts'

const acting =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}-\u{e007f}]/u
const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    '\u001b[31m',
    '\u0007',
    '\u009b',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\u061c',
    '\ud800',
    '\u{e0041}',
    '\r',
    '\n',
    '\t',
    '"',
    '\u007f',
    '\u3164',
  ),
})
const csv = async (rows: Record<string, unknown>[], options: Parameters<typeof writeCsv>[1]) =>
  (await collect(writeCsv(rows, options))).join('')

describe('escaping', () => {
  it('escapes control characters and leaves the rest', () => {
    expect(escapeText('a\u001b[2J\u202eb\n\t\u{e0041}\ud800')).toBe(
      'a\\u001b[2J\\u202eb\\n\\t\\u{e0041}\\ud800',
    )
    expect(escapeText('Ärger 😀 ❤️ \u0600 日本 é')).toBe('Ärger 😀 ❤️ \u0600 日本 é')
    expect(escapeField('a\r\nb\tc\rd\n')).toBe('a\r\nb\tc\\rd\n')
  })

  it('lets no control character through', () => {
    fc.assert(
      fc.property(nasty, text => {
        expect(escapeText(text)).not.toMatch(acting)
        expect(escapeField(text).replace(/\r?\n|\t/g, '')).not.toMatch(acting)
        expect(jsonLine({[text]: text})).not.toMatch(acting)
      }),
    )
  })

  it('keeps JSON the same value', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({unit: codePoint})), text => {
        expect(JSON.parse(jsonLine(text))).toBe(text)
        expect(JSON.parse(escapeUnits(JSON.stringify([text], null, 2)))).toEqual([text])
      }),
      {numRuns: 300},
    )
  })
})

describe('writeCsv', () => {
  it('writes a header, quotes what needs it, and JSON for what is nested', async () => {
    const rows = [
      {a: 'x,y', b: 1.5, c: null, d: true, e: {f: ['"']}},
      {a: '', b: '\u001b', c: 0, d: false, e: []},
    ]
    expect(await csv(rows, {columns: ['a', 'b', 'c', 'd', 'e', 'nothere']})).toBe(
      'a,b,c,d,e,nothere\n"x,y",1.5,,true,"{""f"":[""\\""""]}",\n,\\u001b,0,false,[],\n',
    )
  })

  it('leaves the header out when told', async () => {
    expect(await csv([{id: '3001'}], {columns: ['id'], header: false})).toBe('3001\n')
  })

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\n=1', '\uff1dA1', '\r=1'])(
    'safe: %j is no formula',
    async text => {
      const quoted = await csv([{a: text, b: 'x'}], {columns: ['a', 'b'], header: false, safe: true})
      expect(quoted.replace(/^"/, '').startsWith("'")).toBe(true)
      const plain = await csv([{a: text, b: 'x'}], {columns: ['a', 'b'], header: false})
      expect(plain.includes("'")).toBe(false)
    },
  )

  it('safe: numbers stay numbers, and column names are guarded too', async () => {
    expect(await csv([{'=x': -5}], {columns: ['=x'], safe: true})).toBe("'=x\n-5\n")
  })

  it('asks for the next row only when the last was taken', async () => {
    let made = 0
    function* rows() {
      for (;;) yield {n: ++made}
    }
    const writers = [writeCsv(rows(), {columns: ['n'], header: false}), writeNdjson(rows())]
    for (const writer of writers) {
      made = 0
      await writer.next()
      await writer.next()
      expect(made).toBe(2)
    }
  })
})
