import {spellingsOf} from '../../../cli/sheet/spellings.ts'

/** What spreadsheets write to say that money comes in or goes out, as pairs in the languages of the columns. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['+', '-'],
  ['plus', 'minus'],
  ['pos', 'neg'],
  ['positive', 'negative'],
  ['positiv', 'negativ'],
  ['s', 'h'],
  ['d', 'c'],
  ['d', 'k'],
  ['d', 'h'],
  ['dr', 'cr'],
  ['db', 'cr'],
  ['deb', 'cred'],
  ['dbit', 'crdt'],
  ['debit', 'credit'],
  ['soll', 'haben'],
  ['debet', 'kredit'],
  ['débit', 'crédit'],
  ['debe', 'haber'],
  ['cargo', 'abono'],
  ['lastschrift', 'gutschrift'],
  ['belastung', 'gutschrift'],
  ['veloitus', 'hyvitys'],
  ['v', 'p'],
  ['otto', 'pano'],
  ['i', 'o'],
  ['in', 'out'],
  ['incoming', 'outgoing'],
  ['inbound', 'outbound'],
  ['inflow', 'outflow'],
  ['inward', 'outward'],
  ['deposit', 'withdrawal'],
  ['received', 'paid out'],
  ['ein', 'aus'],
  ['eingang', 'ausgang'],
  ['eingehend', 'ausgehend'],
  ['einzahlung', 'auszahlung'],
  ['zugang', 'abgang'],
  ['in', 'ut'],
  ['inkommande', 'utgående'],
  ['inbetalning', 'utbetalning'],
  ['insättning', 'uttag'],
  ['sisään', 'ulos'],
  ['saapuva', 'lähtevä'],
  ['tulo', 'meno'],
  ['entrée', 'sortie'],
  ['entrant', 'sortant'],
  ['entrada', 'salida'],
  ['entrante', 'saliente'],
  ['ingreso', 'egreso'],
  ['ind', 'ud'],
  ['indgående', 'udgående'],
  ['indbetaling', 'udbetaling'],
  ['inn', 'ut'],
  ['inngående', 'utgående'],
  ['innbetaling', 'utbetaling'],
]

/** Letters that mean little alone: a column has to have both of their pair. */
const WEAK = new Set(['v', 'p', 'i', 'o', 'k'])
const SPELLED = PAIRS.flatMap(([one, other]) => {
  const others = spellingsOf(other)
  return spellingsOf(one).map((word, at) => [word, others[at] ?? other] as const)
})
const WORDS = new Set(SPELLED.flat())

const plainSign = (cell: string): string =>
  cell
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^[−–—﹣－]$/, '-')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/(?<=\p{L})\.$/u, '')

/** Whether the cells of a column say in which direction money goes, and nothing else. Empty ones say nothing. */
export function sayDirection(cells: readonly string[]): boolean {
  const signs = new Set(cells.map(plainSign).filter(sign => sign !== ''))
  if (signs.size === 0) return false
  if ([...signs].every(sign => WORDS.has(sign) && !WEAK.has(sign))) return true
  return SPELLED.some(([one, other]) => signs.size === 2 && signs.has(one) && signs.has(other))
}

const HEADING = new Set(
  'sign, sgn, vorzeichen, sens, signo, tecken, fortegn, etumerkki, direction, richtung, buchungsrichtung, riktning, retning, suunta, dirección, flow, reversed, swap, swapped, sh, hs, dc, dk, kd, drcr, crdr, cdtdbtind, dbcr, umsatztyp, panokirjaus'
    .split(', ')
    .flatMap(spellingsOf),
)
const BESIDE = new Set(
  'payment, type, of, entry, indicator, flag, code, kz, kennz, kennzeichen, money, cash, ind'.split(', '),
)

/** Whether a heading is of a direction or a sign, whatever is in the cells: `S/H-Kz`, `Debit Credit Indicator`, `±`. */
export function namesDirection(title: string): boolean {
  const plain = title.normalize('NFC').trim().toLowerCase()
  if (/^[±+\-−–/\s]+$/.test(plain)) return true
  const words = plain.split(/[^\p{L}]+/u).filter(word => word !== '')
  const isNamed = (word: string): boolean => HEADING.has(word) || WORDS.has(word)
  const isAll = words.every(word => isNamed(word) || BESIDE.has(word))
  return isAll && words.some(word => !BESIDE.has(word))
}
