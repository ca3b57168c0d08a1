import {stripVTControlCharacters} from 'node:util'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {THIN_SPACE} from '../../src/money/amount.ts'
import {genericView} from '../../src/output/generic.ts'
import {type Column, detail, ok, table, type ViewContext} from '../../src/output/index.ts'
import {glyphsFor} from '../../src/output/terminal.ts'
import {cut, isNarrow, lineWidth, textWidth, wrap} from '../../src/output/text-layout.ts'
import {runs} from '../helpers/whole.ts'

const at = (width: number, more: Partial<ViewContext> = {}): ViewContext => ({
  width,
  colour: 0,
  ascii: false,
  now: 0,
  ...more,
})
const text = fc.string({
  unit: fc.constantFrom('a', 'bc', ' ', '世', '😀', 'é', 'e\u0301', '_', '-', '👨‍👩‍👧', '\u001b[31m', '\n'),
})
const plainWidth = (line: string) => textWidth(stripVTControlCharacters(line))

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['😀', 2],
    ['❤️', 2],
    ['🇫🇮', 2],
    ['…•●─', 4],
    ['한국', 4],
    ['ＡＢ', 4],
    ['', 0],
  ])('%s takes %i', (sign, width) => {
    expect(textWidth(sign)).toBe(width)
  })

  it('cut and wrapped text keeps to them, and wrapping loses nothing but blanks', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 2, max: 30}), (value, width) => {
        expect(lineWidth(cut(value, width, '…'))).toBeLessThanOrEqual(width)
        const lines = wrap(value, width)
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width)
        const all = (parts: readonly (readonly {text: string}[])[]) =>
          parts
            .flat()
            .map(sign => sign.text)
            .join('')
            .replaceAll(' ', '')
        expect(all(lines)).toBe(all(wrap(value, Number.POSITIVE_INFINITY)))
      }),
      {numRuns: runs(300)},
    )
  })
})

describe('tables', () => {
  const column = fc.record({
    title: fc.string({unit: fc.constantFrom('A', 'b', '世'), minLength: 1, maxLength: 12}),
    fit: fc.constantFrom('keep' as const, 'cut' as const, 'wrap' as const),
    align: fc.constantFrom('left' as const, 'right' as const),
    optional: fc.boolean(),
    least: fc.integer({min: 4, max: 20}),
    styled: fc.boolean(),
  })

  it('never exceed the width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(column, {minLength: 1, maxLength: 8}),
        fc.array(fc.array(text, {minLength: 8, maxLength: 8}), {maxLength: 4}),
        fc.integer({min: 20, max: 120}),
        fc.constantFrom(0 as const, 1 as const),
        async (specs, rows, width, colour) => {
          const columns = specs.map(
            ({styled, ...spec}, place): Column<readonly string[]> => ({
              ...spec,
              value: row => (styled ? ok(row[place] ?? '') : row[place]),
            }),
          )
          const drawn = await table('card', columns, rows, at(width, {colour}))
          for (const line of drawn.split('\n')) expect(plainWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
      {numRuns: runs(150)},
    )
  })

  const columns: readonly Column<{name: string; sum: string}>[] = [
    {title: 'Name', value: item => item.name, least: 6},
    {title: 'Sum', value: item => item.sum, align: 'right', fit: 'keep'},
  ]

  it('align wide signs, colours and amounts', async () => {
    const items = [
      {name: '日本', sum: '1.00'},
      {name: 'e\u0301', sum: '1,000.00'},
    ]
    expect(await table('card', columns, items, at(80))).toBe(
      [' Name       Sum', ' ────  ────────', ' 日本      1.00', ' e\u0301     1,000.00'].join('\n'),
    )
  })

  it('are measured without the tables of ICU where views write the signs: loading these takes a tenth of a run', () => {
    const written = [THIN_SPACE, ...Object.values(glyphsFor(false)).flat()].join('')
    expect(isNarrow([{text: written, width: 0}])).toBe(true)
    expect(textWidth(`1${THIN_SPACE}000`)).toBe(5)
  })

  it('align every letter and sign of one column, also in colour', async () => {
    const signs = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code)).filter(
      sign => isNarrow([{text: sign, width: 1}]) && !/[\p{C}\p{Z}]/u.test(sign),
    )
    expect(signs.length).toBeGreaterThan(1000)
    const one: Column<string> = {title: 'A', value: sign => ok(sign)}
    const drawn = await table(
      'sign',
      [one, {title: 'B', value: () => 'x'}],
      signs,
      at(80, {colour: 1, header: false}),
    )
    expect(stripVTControlCharacters(drawn).split('\n')).toEqual(signs.map(sign => ` ${sign}  x`))
  })

  it('mark what they cut, and become blocks where nothing fits', async () => {
    const items = [{name: 'a long name', sum: '1,000.00'}]
    expect(await table('card', columns, items, at(20))).toBe(
      ' Name            Sum\n ─────────  ────────\n a long n…  1,000.00',
    )
    const wide: typeof columns = columns.map(each => ({...each, fit: 'keep'}))
    expect(await table('card', wide, items, at(20))).toBe(' Name  a long name\n Sum   1,000.00')
  })

  it('can do without a header, and say what is not there', async () => {
    expect(await table('card', columns, [{name: 'x', sum: '1'}], at(80, {header: false}))).toBe(' x  1')
    expect(await table('card', columns, [], at(80), 'No sums.')).toBe('No sums.')
  })
})

describe('details', () => {
  it('stay within the width, status at the right', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(fc.tuple(text, text), {maxLength: 5}),
        fc.integer({min: 20, max: 100}),
        (title, status, rows, width) => {
          for (const line of detail({title, status, rows}, at(width)).split('\n')) {
            expect(plainWidth(line)).toBeLessThanOrEqual(width)
          }
        },
      ),
      {numRuns: runs(200)},
    )
    const [head, rule] = detail({title: 'Card 1', status: 'OK', rows: []}, at(80)).split('\n')
    expect(head).toBe(` Card 1${' '.repeat(31)}OK`)
    expect(rule).toBe(` ${'─'.repeat(39)}`)
  })
})

describe('texts of megabytes', () => {
  const texts = {letters: 'a', blanks: 'a ', greek: 'λ', wide: '世', marks: 'e\u0301', emoji: '😀'}
  const columns: readonly Column<{id: string; status: string}>[] = [
    {title: 'Id', value: 'id', fit: 'keep'},
    {title: 'Status', value: 'status'},
  ]

  it.each(Object.entries(texts))('are whole in a pipe, and widen no other row: %s', async (_, unit) => {
    const id = unit.repeat(1_500_000 / unit.length)
    const rows = [{id, status: 'OPEN'}, ...Array.from({length: 200}, () => ({id: '1', status: 'OPEN'}))]
    const drawn = await table('card', columns, rows, at(Number.POSITIVE_INFINITY))
    expect(drawn.includes(id)).toBe(true)
    expect(drawn.length).toBeLessThan(3 * id.length)
    const lines = drawn.split('\n')
    expect(lines).toHaveLength(203)
    expect(lines.at(-1)?.trim()).toMatch(/^1 {1,600}OPEN$/)
  })

  it.each(Object.entries(texts))(
    'are cut on a terminal, which says how much is left out: %s',
    async (_, unit) => {
      const id = unit.repeat(1_500_000 / unit.length)
      for (const drawn of [
        await table('card', columns, [{id, status: 'OPEN'}], at(80)),
        await table('card', [{title: 'Id', value: 'id', fit: 'wrap'}], [{id}], at(80)),
        detail({title: 'Batch', rows: [['Id', id]]}, at(80)),
      ]) {
        expect(drawn.length).toBeLessThan(200_000)
        expect(drawn.replaceAll(/\s+/g, ' ')).toMatch(/\.\.\. ?\(\d+ more characters\)/)
        for (const line of drawn.split('\n')) expect(plainWidth(line)).toBeLessThanOrEqual(80)
      }
    },
  )

  it('a list with thousands of fields is shown as blocks', async () => {
    const many = Array.from({length: 100_000}, (_, place) => ({[`f${place}`]: 'x', id: 1}))
    const drawn = await genericView(many, at(Number.POSITIVE_INFINITY))
    expect(drawn.split('\n')).toHaveLength(3 * many.length - 1)
    expect(drawn.slice(0, 40)).toBe(' f0  x\n id  1\n\n f1  x\n id  1\n\n f2  x\n id')
  })
})
