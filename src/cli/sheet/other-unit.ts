import {Failure} from '../../errors/failure.ts'
import {escapeText} from '../../output/styled.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {cellText, linesOf, type SheetRow} from '../../rows/sheet/sheet.ts'
import {maskText} from '../../sensitive/mask-text.ts'

/** A line that says amounts are not in the units of their currency. */
const OTHER_UNIT =
  /\bt(?:kr|sek|nok|dkk|eur)(?![\p{L}])|\bmkr(?![\p{L}])|\b(?:in|i|en|as|à)\s+1[.,' ]?000(?!\d)|\b1\s*[=:]\s*1[.,' ]?000(?!\d)|\bT(?:EUR|CHF|USD|GBP|SEK|NOK|DKK|€)(?![\p{L}])|\b[kK](?:EUR|€|CHF|USD|GBP|SEK|NOK|DKK)(?![\p{L}])|\b(?:in|i|en|as)\s+(?:\S+\s+)?(?:cents?|pence|öre|øre|sentteinä|centimes|céntimos|rappen|thousands?|millions?|hundreds|tausend|tsd|mio|tusen|tusind|milliers|miles|millones|k)(?![\p{L}])|(?<!\p{L})(?:thousands|tausend|tsd\.|tuhansina|tuhatta|sentteinä|minor units|'000|000s)/iu

const CURRENCY =
  '(?:euros?|eur|€|chf|franken|francs?|usd|dollars?|\\$|gbp|£|sek|nok|dkk|kr|isk|pln|czk|huf|ron|jpy|cny|cad|aud|nzd|inr|try|zar|mxn|brl)'

/** What one of a number under a heading is, in English, German, Swedish, Finnish, French, Spanish, Danish and Norwegian. */
const UNITS: readonly (readonly [times: string, words: RegExp])[] = [
  [
    '%',
    /[%‰]|(?<!\p{L})(?:per ?cent|percentages?|pro[czs]ent|pct|pour ?cent|por ?ciento|porcentaje|pro ?mille)/iu,
  ],
  [
    '÷ 100',
    /(?<!\p{L})(?:(?:euro)?cents?|centbetr[aä]ge?|ct|cts|pence|penny|pennies|(?:öre|øre)(?:s?(?:belopp|beløb|beløp))?|rappen|rp|centimes?|c[ée]ntimos?|centavos?|sent(?:ti|te|it)\p{L}*|snt|minor|sub ?units?|untereinheit(?:en)?|(?:kleinste|mindste|minste|minsta|smallest|lowest|mindre) (?:units?|einheit(?:en)?|enhet(?:en|er)?|enhed(?:en|er)?|denomination)|unités? mineures?|unidad(?:es)? (?:menor(?:es)?|mínimas?)|pienin yksikkö|pienimmissä yksiköissä)(?!\p{L})|¢/iu,
  ],
  [
    '× 1,000,000',
    new RegExp(
      `(?<!\\p{L})(?:millions?|millionen|mill|mio|mln|mn|mm|miljo\\p{L}*|milj|millioner|millón|millones|mkr|(?:m|mio|mill|mln) ?${CURRENCY}|${CURRENCY} ?(?:m|mm|mio|mn|mln))(?!\\p{L})|[([]\\s*m\\s*[)\\]]`,
      'iu',
    ),
  ],
  [
    '× 1,000,000,000',
    /(?<!\p{L})(?:billions?|bn|milliarden?|mrd|mdr|md|miljard\p{L}*|milliard\p{L}*)(?!\p{L})/iu,
  ],
  [
    '× 1,000',
    new RegExp(
      `(?<!\\p{L})(?:thousands?|thsds?|thous|tausend\\p{L}*|tsd|tds|tusen\\p{L}*|tusind\\p{L}*|tuhat\\p{L}*|tuhan\\p{L}*|milliers?|mille|miles|mil|tkr|kkr|[tk]|[tk] ?${CURRENCY}|${CURRENCY} ?[tk])(?!\\p{L})|(?<!\\d)['’´]?000(?:['’]?s)?(?![\\d])|10\\^3|(?<!\\p{L})1?e3(?!\\d)`,
      'iu',
    ),
  ],
  [
    '× 100',
    /(?<!\p{L})(?:hundreds?|hunderter|hundert|hundra\p{L}*|hundre\p{L}*|cientos|centaines?)(?!\p{L})/iu,
  ],
]
/** `in 1.000`, `x 1000`, `(1000)`, `/100`: what numbers are to be multiplied with, or divided by. */
const FACTOR =
  /(?:(?<!\p{L})(?:in|i|en|as|à|per|je|x|a)|[x×*÷/:=([])\s*(?<number>1(?:0{2,}|(?:[.,'’\s]?0{3})+))(?!\d)/iu
/** `euros and cents` and `incl. cents` are plain amounts. */
const WITH_CENTS =
  /(?:(?<!\p{L})(?:and|und|och|ja|et|y|og|incl(?:uding)?|inkl(?:usive|usiv)?|with|mit|med|avec|con)\.?|[&+])\s+(?:\p{L}+\s+)?(?:cents?|pence|öre|øre|rappen|centimes?|c[ée]ntimos?|sent\p{L}+)(?!\p{L})/giu

/** What one of a number under this heading is: `× 1,000` of `Betrag in TEUR`; undefined if it says nothing of it. */
export function unitIn(heading: string): string | undefined {
  const plain = heading.normalize('NFC').replaceAll(WITH_CENTS, ' ')
  const {number} = FACTOR.exec(plain)?.groups ?? {}
  if (number !== undefined) return `× ${number.replaceAll(/\D/g, '').replaceAll(/(?=(?:0{3})+$)/g, ',')}`
  // `amount_cents`, `amountCents`.
  const words = [plain, plain.replaceAll(/[_-]+/g, ' ').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')]
  return UNITS.find(([, unit]) => words.some(text => unit.test(text)))?.[0]
}

/** Fields that take such numbers. */
const SHARE = /percent|rate|ratio|share|interest/i

/** What one of a number is for a field that doesn't say so itself, as `amountCents` does. */
const otherUnitIn = (heading: string, field: string): string | undefined => {
  const unit = unitIn(heading)
  return unit === undefined || unitIn(field) !== undefined || (unit === '%' && SHARE.test(field))
    ? undefined
    : unit
}

/**
 * The numbers under a heading that gives another unit than the field takes have two readings, and one of them is a
 * thousand times the other.
 *
 * @param field that the column fills
 * @throws Failure INPUT_INVALID
 */
export function refuseUnit(
  column: Column & Partial<Pick<Table, 'rows'>>,
  {field, source, line}: {readonly field: string; readonly source: string; readonly line?: number},
): void {
  const unit = otherUnitIn(column.title, field)
  if (unit === undefined) return
  const sample = column.rows
    ?.flatMap(row => ('fault' in row ? [] : [cellText(row.fields[column.place])]))
    .find(cell => /\d/.test(cell))
  const shown = escapeText(maskText(sample ?? '1').slice(0, 24))
  const title = escapeText(maskText(column.title).slice(0, 60))
  const where = line === undefined ? '' : ` on line ${line}`
  throw new Failure('INPUT_INVALID', {
    message: `${source}: the heading "${title}"${where} may say that its numbers are in another unit: ${shown} under it may be ${shown} or ${shown}${unit === '%' ? '' : ' '}${unit}.`,
    hint: `Nothing was sent. Write the numbers in whole units of their currency, and name the column ${field}; --map and a kept mapping do not take it under this heading.`,
    effect: 'none',
  })
}

/** @throws Failure INPUT_INVALID for a row without numbers under the headings, whose cell over the amounts gives another unit */
export function refuseUnitCell(row: SheetRow, place: number, source: string): void {
  if (unitIn(cellText(row.fields[place])) !== undefined) throw unitBeside([row], source)
}

/** @throws Failure INPUT_INVALID for lines beside the rows that give another unit for all amounts */
export function refuseUnitLines(rows: readonly SheetRow[], source: string): void {
  const found = rows.filter(({fields}) => fields.some(cell => OTHER_UNIT.test(cellText(cell))))
  if (found.length > 0) throw unitBeside(found, source)
}

/** Whether the name of a file or a sheet gives another unit, as `salaries in TEUR.xlsx` does. */
export const namesUnit = (name = ''): boolean =>
  OTHER_UNIT.test(name.split(/[\\/]/).at(-1)?.replaceAll(/[_-]+/g, ' ') ?? '')

/** @throws Failure INPUT_INVALID if the name of the file or the sheet gives another unit */
export function refuseUnitNames(source: string, sheet: string | undefined): void {
  const what = [namesUnit(source) && 'file', namesUnit(sheet) && 'sheet'].find(one => one !== false)
  if (what === undefined) return
  throw new Failure('INPUT_INVALID', {
    message: `${source}: the name of the ${what}${what === 'sheet' ? ` ${escapeText(sheet ?? '')}` : ''} may say that amounts are in another unit.`,
    hint: `Nothing was sent. Write amounts in whole units of their currency, then rename the ${what}.`,
    effect: 'none',
  })
}

const unitBeside = (rows: readonly SheetRow[], source: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source}: beside the table, ${linesOf(rows)} may say that amounts are in another unit.`,
    hint: 'Nothing was sent. Write amounts in whole units of their currency, then remove the line.',
    effect: 'none',
  })
