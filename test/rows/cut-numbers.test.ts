import {expect, it} from 'vitest'
import {cutAmounts} from '../../src/commands/a2a/shared/cut-amounts.ts'
import type {TransferField} from '../../src/commands/a2a/shared/transfer-headings.ts'
import {cutNumbers} from '../../src/rows/sheet/cut-numbers.ts'
import type {SheetRow} from '../../src/rows/sheet/sheet.ts'

/** A row whose cells in double quotes were quoted in the file. */
const row = (text: string, line: number): SheetRow => {
  const cells = text.split('|')
  const quoted = new Set(cells.flatMap((cell, at) => (cell.startsWith('"') ? [at] : [])))
  return {line, fields: cells.map(cell => cell.replaceAll('"', '')), quoted}
}
const linesCut = (rows: readonly string[], delimiter: ',' | ';' = ','): readonly unknown[] =>
  cutNumbers(
    rows.map((text, at) => row(text, at + 1)),
    0,
    {delimiter},
  ).map(({line}) => line)

it.each([
  ['decimals after thousands, whatever else is there', ['1|234.50', '1500.25|x'], [1]],
  ['thousands', ['1|234', '900|'], [1]],
  ['thousands beside other texts', ['1|234', '9|Rent'], [1]],
  ['thousands, with decimals elsewhere', ['1|234', '12.50|x'], [1]],
  ['a decimal comma', ['12|50', '9|'], [1]],
  ['a decimal comma before one digit', ['12|5'], [1]],
  ['a decimal comma after any whole number', ['1234|50', '1.234|50', '1 234|5'], [1, 2, 3]],
  ['a decimal comma among whole thousands', ['12|50', '1500|x'], [1]],
  ['a currency or a minus beside it', ['€ 1|234.50', '-1|234', '1|234 EUR', '(12|50)'], [1, 2, 3, 4]],
] as const)('%s may have been cut', (_, rows, lines) => {
  expect(linesCut(rows)).toEqual(lines)
})

it.each([
  ['quotes around either', ['"1"|234', '1|"234"', '1|"50"']],
  ['thousands that nobody groups', ['1|234', '1500|x']],
  ['a decimal point', ['12|50', '12.50|x']],
  ['an amount with decimals before it', ['12.50|500', '12.00|50']],
  ['a longer text', ['1|2345', '1|Rent 50', '1|A12', '1234|567']],
] as const)('%s shows that nothing was cut', (_, rows) => {
  expect(linesCut(rows)).toEqual([])
})

it('only a comma between values cuts', () => {
  expect(linesCut(['1|234', '12|50'], ';')).toEqual([])
})

it('a number before an account was cut only if the row may end one column earlier', () => {
  const fields: readonly TransferField[] = ['amount', 'fromAccountId', 'toAccountId', 'text']
  const columns = new Map(fields.map((field, place) => [field, {place, title: field}]))
  const cut = (text: string) => cutAmounts([row(text, 1)], columns, {delimiter: ','})
  expect(cut('1|234|2006|2007')).toHaveLength(1)
  expect(cut('500|101|102|Rent')).toEqual([])
  expect(cut('500|101|102|')).toEqual([])
})
