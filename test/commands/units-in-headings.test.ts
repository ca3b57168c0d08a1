// A heading that gives another unit makes another number of each amount, however its column was chosen.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {unitIn} from '../../src/cli/sheet/other-unit.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const UNITS: Readonly<Record<string, string>> = {
  '× 1,000':
    "Betrag in TEUR|Betrag (Tsd. EUR)|Amount (TEUR)|Amount kEUR|Amount k€|T€|Amount in thousands|Määrä tuhatta|Määrä tuhansina euroina|Importe (miles)|Montant en milliers|Betrag in 1.000|Amount (1000)|Amount x1000|Amount (EUR 000)|Amount £'000|Beløb i t.kr.|Summa (tkr)|Belopp i tusental kronor|Betrag (T)|Montant K|Summe in Tausend|Montant en k euros|limit (USD thousands)|Betrag in T-EUR|amount_teur|Beløb tusind",
  '× 1,000,000':
    'Mio|Betrag in Mio. EUR|Amount (m)|Amount $m|Importe (M€)|Importe en millones|Belopp mkr|Määrä milj. €',
  '÷ 100':
    'Montant (centimes)|Betrag in Cent|Amount (cents)|Belopp öre|Betrag Rappen|Amount pence|minor units|amount_cents|amountCents|amount_minor|Betrag (Ct.)|Centbetrag|Määrä sentteinä|Importe en céntimos|Beløb i øre|Montant en unités mineures',
  '%': 'Rabatt %|Percent|Prozent|Procent|Prosenttia|Pourcentage|Porcentaje|Prosent|Betrag Promille',
}

const PLAIN =
  'Betrag|Amount (EUR)|Amount in EUR|Belopp SEK|Summe €|Total|Beløb / Amount|Montant TTC|Amount in euros and cents|Betrag in EUR und Cent|Amount incl. cents|Recent amount|creditLimit|Neues Kreditlimit|Summa kr|Importe total|Tall|Betrag 2026|Limit as of 1.12.2026|Montant du virement|Montant à payer|rahamäärä|Zahlbetrag|spendingLimits.daily.amount|Milestone|Limit 5000|Límite de crédito|Luottoraja'

it.each(Object.entries(UNITS).flatMap(([unit, list]) => list.split('|').map(one => [one, unit] as const)))(
  '%s is %s',
  (heading, unit) => {
    expect(unitIn(heading)).toBe(unit)
  },
)

it.each(PLAIN.split('|'))('%s says nothing of the unit', heading => {
  expect(unitIn(heading)).toBeUndefined()
})

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const file = (...lines: readonly string[]): Promise<string> => fileNamed('rows.csv', ...lines)

async function fileNamed(name: string, ...lines: readonly string[]): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const refused = async (...argv: readonly string[]): Promise<string> => {
  const {code, stdout, stderr} = await home.run([...argv])
  expect([code, stdout]).toEqual([2, ''])
  expect(await home.json(['requests', 'list'])).toEqual([])
  return stderr
}

describe('transfers', () => {
  const HEAD = (amount: string) => `Von;Nach;${amount};Währung`

  it.each([
    ['Betrag in TEUR', '1,5', '1,5 under it may be 1,5 or 1,5 × 1,000'],
    ['Montant (centimes)', '125050', '125050 under it may be 125050 or 125050 ÷ 100'],
    ['Betrag %', '50', '50 under it may be 50 or 50%'],
  ])('under %s are refused, mapped or not', async (heading, cell, both) => {
    const from = await file(HEAD(heading), `2006;2007;${cell};EUR`)
    for (const map of [[], ['--map', `${heading}=amount`]])
      for (const command of [
        ['create', '--dry-run'],
        ['plan', '--out', join(home.folder, 'a.plan')],
      ])
        expect(await refused('a2a', ...command, '--from', from, ...map)).toContain(both)
  })

  it('are refused if the name of the file gives the unit', async () => {
    const from = await fileNamed('Zahlungen TEUR.csv', HEAD('Betrag'), '2006;2007;1,5;EUR')
    expect(await refused('a2a', 'create', '--dry-run', '--from', from)).toContain(
      'the name of the file may say',
    )
  })

  it('are not asked for on a terminal', async () => {
    const from = await file(HEAD('Betrag in TEUR'), '2006;2007;1,5;EUR')
    const {code, stderr} = await home.run(['a2a', 'create', '--from', from], {columns: 200, typed: []})
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('the heading "Betrag in TEUR" on line 1')
  })

  it('are refused where a row under the headings gives the unit', async () => {
    const from = await file(HEAD('Betrag'), ';;TEUR;', '2006;2007;1,5;EUR')
    expect(await refused('a2a', 'create', '--dry-run', '--from', from)).toContain('line 2 may say')
  })

  it('are sent if another column is the amount', async () => {
    const from = await file('Von;Nach;Zu zahlen;Skonto %;Währung', '2006;2007;1,50;2;EUR')
    const {code, stderr} = await home.run(['a2a', 'create', '--dry-run', '--from', from])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--map "Zu zahlen=amount"')])
  })
})

describe('rows', () => {
  const RUN = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--yes', '--from']
  const LIMIT = 'Neues Kreditlimit (TEUR)'

  it('are refused under such a heading, mapped or not', async () => {
    for (const cell of ['6.5', '6,5']) {
      const from = await file(`id;${LIMIT}`, `2001;${cell}`)
      const map = ['--map', `${LIMIT}=creditLimit`]
      expect(await refused(...RUN, from)).toContain(`${cell} under it may be ${cell} or ${cell} × 1,000`)
      expect(await refused(...RUN, from, ...map)).toContain('another unit')
      const out = join(home.folder, 'b.plan')
      const plan = ['bulk', 'plan', 'accounts', 'patch', '--type', 'credit', '--out', out]
      expect(await refused(...plan, '--from', from, ...map)).toContain('another unit')
    }
  })

  it('are refused if a line beside them or under the headings gives the unit', async () => {
    expect(await refused(...RUN, await file('Alle Werte in TEUR;', 'id;creditLimit', '2001;6,5'))).toContain(
      'line 1 may say',
    )
    expect(await refused(...RUN, await file('id;creditLimit', ';TEUR', '2001;6,5'))).toContain(
      'line 2 may say',
    )
  })

  it('are refused if the name of the file gives the unit, unless none of them is a number', async () => {
    for (const name of ['limits in TEUR.csv', 'limits_kEUR.csv', 'limits-tsd.-EUR.csv'])
      expect(await refused(...RUN, await fileNamed(name, 'id,creditLimit', '2001,6'))).toContain(
        'the name of the file may say',
      )
    const from = await fileNamed('texts in TEUR.csv', 'id,reason', '2001,a')
    expect((await home.run([...RUN, from])).code).toBe(0)
  })

  it('are read without the line of currencies and the sum', async () => {
    const from = await file(
      'Kreditlimits zum 1.12.;;',
      'id;creditLimit;reason',
      ';EUR;',
      '2001;6000,00;A',
      '2001;25000,00;A',
      'Summe;31000,00;',
    )
    const {code, stderr} = await home.run([...RUN, from])
    expect(code).toBe(0)
    expect(stderr).toContain('Line 3 is left out: it has units and no row. It says "EUR".')
    expect(stderr).toContain('Line 6 is left out: it is the sum of the rows.')
  })

  it('name the line without a number where a sum cannot be checked', async () => {
    const from = await file(
      'id;creditLimit;reason',
      ';netto;',
      '2001;6000,00;A',
      '2004;25,50;A',
      'Summe;6025,50;',
    )
    expect(await refused(...RUN, from)).toContain('line 2 has no number that can be read')
  })

  it('are named if two set one field to different values', async () => {
    const from = await file('id;creditLimit', '2001;6000', '2001;6000', '2001;7000')
    const words = 'rows 1 and 3 set creditLimit of account 2001'
    expect((await home.run([...RUN, from])).stderr).toContain(words)
    const plan = [
      'bulk',
      'plan',
      'accounts',
      'patch',
      '--type',
      'credit',
      '--out',
      join(home.folder, 'b.plan'),
    ]
    expect((await home.run([...plan, '--from', from])).stderr).toContain(words)
    expect((await home.run([...RUN, await file('id;creditLimit', '2001;1', '2001;1')])).stderr).not.toContain(
      'another',
    )
  })

  it('propose no flag that leaves nothing to send', async () => {
    const from = await file('id;Wunsch', '2001;6000')
    expect(await refused(...RUN, from)).toContain('--map "Wunsch=FIELD"')
  })
})
