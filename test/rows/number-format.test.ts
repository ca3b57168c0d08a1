import {expect, it} from 'vitest'
import {cellMarks, formatsOf, placeKey} from '../../src/rows/sheet/cell-marks.ts'
import {numberFormat} from '../../src/rows/sheet/number-format.ts'

it.each([
  ['thousands', '#,##0,', 5000],
  ['thousands with decimals', '0.00,', 5000],
  ['millions', '0.0,,"M"', 5_000_000],
  ['a percentage', '0%', 0.05],
  ['parts of a thousand', '0‰', 0.05],
  ['nothing', ';;;', 5],
  ['no digits', '"paid"', 5],
  ['a minus', '-0', 5],
  ['a minus as a text', '\\-0', 5],
  ['brackets', '(0)', 5],
  ['a digit more', '0"0"', 5],
  ['an escaped digit more', '0.00\\0', 5],
  ['digits that fill the cell', '*00', 5],
  ['no minus', '0.00;0.00', -5],
  ['no minus, in red', '0.00;[Red]0.00', -5],
  ['two minuses', '-0', -5],
  ['a zero as nothing', '0;-0;', 0],
  ['a zero as no digit', '#,###', 0],
  ['a zero as a word', '0;-0;"none"', 0],
  ['a sign within', '0"€"00', 1250],
  ['a space within decimals', '0.00 0', 12.4],
  ['hundreds apart', '0 00', 5000],
  ['a point as a text', '0\\.000', 5000],
  ['numbers in groups of their own', '000-000', 5000],
  ['two points', '0.0.0', 12.4],
  ['a fraction', '# ??/??', 0.5],
  ['rounded', '#,##0', 12.4],
  ['rounded to cents', '0.00', 1.005],
  ['rounded to a power', '0.0E+00', 1250],
  ['hours', '[h]:mm', 1.5],
  ['hours with decimals', '[s].00', 1.5],
  ['a day', 'dd.mm.yyyy', 45000],
  ['what a condition says', '[>100]0;0.00', 5],
])('%s', (_, code, value) => {
  expect(numberFormat(code)(value)).toEqual({format: code})
})

it.each([
  ['General', 12.4],
  ['General;-General;', 12.4],
  ['@', 12.4],
  ['0.00', 12.4],
  ['#,##0.00;[Red]-#,##0.00', -5],
  ['#,##0.00_);(#,##0.00)', -5],
  ['# ##0.00', 1234.5],
  ["#'##0.00", 1234.5],
  ['#\\ ##0', 1234],
  ['#.##', 12.4],
  ['0.', 12],
  ['.00', 0.5],
  ['**0.00', 12.4],
  ['[Blue][$-409]0.00', 12.4],
  ['0;-0;"-"', 0],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', 0],
  // A computed 55.1.
  ['0.00', 55.100000000000001],
])('%s shows %s as it is', (code, value) => {
  expect(numberFormat(code)(value)).toBeUndefined()
})

it.each([
  ['[$€-407] #,##0.00', '€'],
  ['#,##0.00 "€"', '€'],
  ['[$USD] 0.00', 'USD'],
  ['\\k\\r\\ 0.00', 'kr'],
  ['$0.00', '$'],
  ['0.00 "TEUR"', 'TEUR'],
  ['"EUR" 0.00\\ "k"', 'EUR k'],
  ['"€" 0.00;-"€" 0.00', '€'],
])('%s has %s beside the number', (code, unit) => {
  for (const value of [12.5, -12.5]) expect(numberFormat(code)(value)).toEqual({unit, format: code})
})

const styles = (formats: string, rule: string): string =>
  `<styleSheet><numFmts>${formats}</numFmts><cellXfs><xf numFmtId="164"/></cellXfs><dxfs>${rule}</dxfs></styleSheet>`
const CELLS = '<sheetData><c r="A1" s="0"><v>5</v></c><c r="B2" s="0"><v>0</v></c></sheetData>'
const marked = (sheet: string, text: string) =>
  [
    [1, 0],
    [2, 1],
  ].map(([line = 0, place = 0]) => cellMarks(sheet, formatsOf(text)).cells.get(placeKey(line, place)))

it('a format of a rule is none of cells, and counts in the cells of the rule', () => {
  const text = styles(
    '<numFmt numFmtId="164" formatCode="0.00"/>',
    '<dxf/><dxf><numFmt numFmtId="164" formatCode=";;;"/></dxf>',
  )
  expect(marked(CELLS, text)).toEqual([undefined, undefined])
  const ruled = (sqref: string) =>
    `${CELLS}<conditionalFormatting sqref="${sqref}"><cfRule type="cellIs" dxfId="1"/></conditionalFormatting>`
  expect(marked(ruled('A1'), text)).toEqual([{format: ';;;'}, undefined])
  expect(marked(ruled('C9 B2:C10'), text)).toEqual([undefined, {format: ';;;'}])
  expect(marked(ruled('A:A'), text)).toEqual([{format: ';;;'}, undefined])
})

it('a sheet may show no zeros', () => {
  const sheet = `<sheetViews><sheetView showZeros="0"/></sheetViews>${CELLS}`
  const [five, zero] = marked(sheet, styles('<numFmt numFmtId="164" formatCode="0.00"/>', ''))
  expect(five).toBeUndefined()
  expect(zero).toMatchObject({format: expect.stringContaining('zeros')})
})
