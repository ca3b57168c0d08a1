// Tables as spreadsheets of any language write them.
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {decimalPoint} from '../../src/money/decimal-sign.ts'
import {columnNames} from '../../src/rows/dialect.ts'
import {readRows} from '../../src/rows/read-rows.ts'
import {chunks, collect} from './chunks.ts'

const COLUMNS = ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'] as const
const nameOf = columnNames(COLUMNS)

interface Dialect {
  readonly delimiter: ',' | ';' | '\t'
  readonly ending: '\n' | '\r\n'
  readonly isMarked: boolean
  readonly encoding: 'utf-8' | 'windows-1252'
  readonly isNamed: boolean
  readonly quotes: 'all' | 'needed'
  readonly header: (name: string) => string
  readonly emptyColumns: number
  readonly emptyRows: number
  readonly hasLastEnding: boolean
}

/** `fromAccountId` → `from account id`. */
const apart = (name: string): string => name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

const headers = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => apart(name),
  (name: string) => ` ${apart(name).replaceAll(' ', '_').toUpperCase()} `,
  (name: string) => apart(name).replaceAll(' ', '-'),
]

const dialects: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  ending: fc.constantFrom('\n', '\r\n'),
  isMarked: fc.boolean(),
  encoding: fc.constantFrom('utf-8', 'windows-1252'),
  isNamed: fc.boolean(),
  quotes: fc.constantFrom('all', 'needed'),
  header: fc.constantFrom(...headers),
  emptyColumns: fc.nat(3),
  emptyRows: fc.nat(3),
  hasLastEnding: fc.boolean(),
})

/** Letters of western Europe, which both encodings have, and all that CSV must quote. */
const texts = fc.string({unit: fc.constantFrom(...'aZ09 ,;\t".\'=-äßéÖ€–’\n'), maxLength: 8})
/** Of several lines, none may look like a row, which is refused. */
const cells = texts.map(text => (text.includes('\n') ? text.replaceAll(/\d/g, 'x') : text))
const tables = fc.array(fc.tuple(cells, cells, cells, cells, cells), {maxLength: 8})

function write(rows: readonly (readonly string[])[], dialect: Dialect): Uint8Array {
  const {delimiter, ending, quotes, emptyColumns, emptyRows, header, encoding} = dialect
  const cell = (text: string): string =>
    quotes === 'all' || /[,;\t"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  // A value of white space alone would make an empty row if all values were so.
  const line = (values: readonly string[]): string => {
    const isEmpty = values.every(value => value.trim() === '')
    const texts = values.map(value => (isEmpty ? `"${value.replaceAll('"', '""')}"` : cell(value)))
    return [...texts, ...Array.from({length: emptyColumns}, () => '')].join(delimiter)
  }
  const lines = [COLUMNS.map(header).join(delimiter) + delimiter.repeat(emptyColumns), ...rows.map(line)]
  const empty = Array.from({length: emptyRows}, () => delimiter.repeat(COLUMNS.length + emptyColumns - 1))
  const all = [...(dialect.isNamed ? [`sep=${delimiter}`] : []), ...lines, ...empty]
  const text = all.join(ending) + (dialect.hasLastEnding ? ending : '')
  if (encoding === 'utf-8') return Buffer.from(`${dialect.isMarked ? '\ufeff' : ''}${text}`)
  return Uint8Array.from([...text].map(letter => windows1252.get(letter) ?? letter.charCodeAt(0)))
}

const windows1252 = new Map([
  ['€', 0x80],
  ['–', 0x96],
  ['’', 0x92],
])

const problemsOf = async (reading: Promise<unknown>): Promise<string> => {
  const caught = await reading.catch((error: unknown) => error)
  if (!(caught instanceof Failure)) throw new Error('expected a failure')
  return `${caught.message} ${JSON.stringify(caught.details.data?.problems ?? '')}`
}

describe('a table', () => {
  it('reads as the same rows in any dialect', async () => {
    await fc.assert(
      fc.asyncProperty(tables, dialects, fc.integer({min: 1, max: 40}), async (table, dialect, size) => {
        const bytes = write(table, dialect)
        const options = {source: 'x', nameOf, encoding: dialect.encoding, format: 'csv'} as const
        const rows = await collect(readRows(chunks(bytes, size), options))
        expect(rows.map(({values}) => COLUMNS.map(name => values[name]))).toEqual(table)
        expect(rows.map(({row}) => row)).toEqual(table.map((_, at) => at + 1))
      }),
    )
  })

  it('keeps a value beside the last column as a problem', async () => {
    const reading = collect(readRows(chunks('a;b;\n1;2;3\n'), {source: 'x'}))
    expect(await problemsOf(reading)).toContain('has 3 fields, the header has 2')
  })

  it('has each field once, whatever its columns are called', async () => {
    const reading = collect(readRows(chunks('amount;AMOUNT\n1;2\n'), {source: 'x', nameOf}))
    expect(await problemsOf(reading)).toContain('has the name of column 1, amount')
  })

  it('in another encoding is refused with the flag that reads it', async () => {
    const reading = collect(readRows(chunks(Uint8Array.of(0x61, 10, 0xe4, 10)), {source: 'x'}))
    expect(await problemsOf(reading)).toContain(
      'is not UTF-8 text; save the file as UTF-8, or add --encoding windows-1252',
    )
  })
})

describe('the name of a column', () => {
  it.each([
    ['Credit Limit', 'creditLimit'],
    ['CREDIT_LIMIT', 'creditLimit'],
    ['credit-limit', 'creditLimit'],
    ['limit', 'limit'],
    ['Colour', 'Colour'],
    ['id', 'id'],
    ['ID', 'ID'],
    ['__proto__', '__proto__'],
  ])('%s is %s', (column, field) => {
    expect(columnNames(['creditLimit', 'id', 'Id'])(column)).toBe(field)
  })
})

describe('a decimal comma', () => {
  const whole = fc.bigInt({min: 0n, max: 10n ** 12n}).map(String)
  const fraction = fc.stringMatching(/^\d{1,3}$/)

  it('counts only with the flag, and a point only without it', () => {
    fc.assert(
      fc.property(whole, fraction, fc.constantFrom('', '-'), (before, after, sign) => {
        const [comma, point] = [`${sign}${before},${after}`, `${sign}${before}.${after}`]
        expect(decimalPoint(comma, {decimal: 'comma'})).toBe(point)
        expect(decimalPoint(point, {decimal: 'point'})).toBe(point)
        expect(decimalPoint(before, {decimal: 'comma'})).toBe(before)
        expect(() => decimalPoint(comma)).toThrow('add --decimal comma')
        expect(() => decimalPoint(point, {decimal: 'comma'})).toThrow('no point')
      }),
    )
  })

  it.each(['1.500', '-12.345', '999.000'])('%s counts only with --decimal point', text => {
    expect(() => decimalPoint(text)).toThrow('add --decimal point')
    expect(decimalPoint(text, {decimal: 'point'})).toBe(text)
  })

  it.each(['0.500', '1.5', '1500.500', '1.2345', '12.50'])('%s is read as it is', text => {
    expect(decimalPoint(text)).toBe(text)
  })

  it.each(['1.500,50', '1,500,000', '1 500,50', "1'500,50", ',5', '5,', '1,5e3'])('%s is refused', text => {
    expect(() => decimalPoint(text, {decimal: 'comma'})).toThrow(Failure)
  })
})
