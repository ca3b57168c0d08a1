// Rows whose text or status says that they are not to be sent: named and asked about, and sent or left out by a flag.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {saysNotToSend} from '../../src/cli/sheet/not-to-send.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

async function sheet(...rows: readonly string[]): Promise<string> {
  const path = join(home.folder, 'rows.csv')
  await writeFile(path, `${['From;To;Amount;Currency;Text;Status', ...rows].join('\n')}\n`)
  return path
}
const run = (from: string, ...flags: string[]) =>
  home.run(['a2a', 'create', '--from', from, ...flags, '--dry-run', '-o', 'json'])
const texts = (stdout: string): readonly string[] =>
  JSON.parse(stdout).body.transfers.map(({text}: {text: string}) => text)

const ROWS = [
  '2006;2007;10;EUR;Rent;open',
  '2006;2008;20;EUR;DO NOT PAY - cancelled;open',
  '2006;2009;30;EUR;Gas;on hold',
]

it('are named with their lines, and sent or left out as the flag says', async () => {
  const from = await sheet(...ROWS)
  const {code, stderr} = await run(from)
  expect(code).toBe(2)
  expect(stderr).toContain('the columns Text; Status may say that rows are not to be sent: lines 3, 4.')
  expect(stderr).toContain('Line 3: DO NOT PAY - cancelled. Line 4: on hold.')
  expect(stderr).toContain('--marked-rows skip')
  const skipped = await run(from, '--marked-rows', 'skip')
  expect(texts(skipped.stdout)).toEqual(['Rent'])
  expect(skipped.stderr).toContain('Left out: lines 3, 4.')
  const sent = await run(from, '--marked-rows', 'send')
  expect(texts(sent.stdout)).toHaveLength(3)
  expect(sent.stderr).toContain('Sent, whatever is said there: lines 3, 4.')
})

it('are left out too where the column that marks them is said not to be sent', async () => {
  const from = await sheet(
    '2006;2007;33.10;EUR;RE 1;freigegeben',
    '2006;2007;44;EUR;RE 2;bereits bezahlt',
    '2006;2007;5;EUR;RE 3;',
  )
  const {stdout, stderr} = await run(from, '--marked-rows', 'skip', '--map', 'Status=none')
  expect(texts(stdout)).toEqual(['RE 1', 'RE 3'])
  expect(stderr).toContain('Left out: line 3.')
})

it('count where a later row is named by its number, also before a question', async () => {
  const from = await sheet(...ROWS, '2006;2009;-30;EUR;Gas;open')
  const named = 'row 4 (line 5), amount:'
  expect((await run(from, '--marked-rows', 'skip')).stderr).toContain(named)
  const {stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    questionsAt: {columns: 200, rows: 30},
    typed: [['What about them?', '']],
  })
  expect(stderr).toContain(named)
})

it('are asked about on a terminal', async () => {
  const from = await sheet(...ROWS)
  const args = ['a2a', 'create', '--from', from, '-p', 'sandbox']
  const asked = {columns: 200, questionsAt: {columns: 200, rows: 30}}
  const {stderr, code} = await home.run(args, {
    ...asked,
    typed: [
      ['What about them?', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(code).toBe(0)
  expect(stderr).toContain('send 1 transfer: EUR 10.00')
  const stopped = await home.run(args, {...asked, typed: [['What about them?', '\u001b[A']]})
  expect(stopped.code).toBe(2)
})

it('what else a column says is judged of the other rows only', async () => {
  const from = await sheet('2006;2007;10;EUR;A;paid', '2006;2008;20;EUR;B;odd')
  const {code, stderr} = await run(from, '--marked-rows', 'send')
  expect(code).toBe(2)
  expect(stderr).toContain('has states that may say that rows are not to be sent: line 3')
})

it('the sum below may be of all rows, or of those that are left', async () => {
  const summed = async (sum: string) => {
    const from = await sheet(...ROWS, `Total;;${sum};;;`)
    return run(from, '--marked-rows', 'skip')
  }
  for (const sum of ['10', '60']) expect(await summed(sum)).toMatchObject({code: 0})
  expect((await summed('60')).stderr).toContain('it is the sum of the rows, with those that are left out')
  expect((await summed('40')).stderr).toContain('is not the sum of the rows')
})

it('the results of an earlier run are no rows to send again unasked', async () => {
  const path = join(home.folder, 'results.csv')
  await writeFile(path, 'From;To;Amount;Currency;Result\n2006;2007;10;EUR;OK\n2006;2008;20;EUR;FAILED\n')
  expect((await run(path)).stderr).toContain(
    'the column Result may say that rows are not to be sent: lines 2, 3',
  )
})

it('a heading of a state is no misspelt text', async () => {
  const path = join(home.folder, 'state.csv')
  await writeFile(path, 'From;To;Amount;Currency;Payment status\n2006;2007;10;EUR;on hold\n')
  expect((await run(path)).stderr).toContain('the column Payment status may say')
})

describe('texts', () => {
  it.each([
    'DO NOT PAY - cancelled',
    'on hold',
    'On hold until June',
    'already paid',
    'Cancelled',
    'storniert',
    'gesperrt',
    'ne pas payer',
    'Rent May (on hold)',
    'Invoice 77 - PAID',
    'Rechnung 4711 storniert',
    'Rent May do not  pay',
    'Bitte nicht bezahlen',
    'bereits bezahlt am 3.5.',
    'redan betald',
    'betala ej',
    'älä maksa',
    'jo maksettu',
    'déjà payé',
    'en attente',
    'ya pagado',
    'no pagar',
    'skal ikke betales',
    'allerede betalt',
    'på vent',
  ])('%s says it', text => {
    expect(saysNotToSend(text)).toBe(true)
  })

  it.each([
    'Invoice cancelled subscription refund',
    'Refund - cancelled',
    'Rückzahlung (storniert)',
    'Cancellation fee',
    'Paid leave May',
    'Hotel Oslo, paid',
    'Prepaid card',
    'Unpaid invoice 77',
    'Blocked account deposit',
    'Music on hold licence',
    'Gesperrte Karte, Ersatz',
    'Peruttu matka, palautus',
    'Stop & Shop',
  ])('%s does not', text => {
    expect(saysNotToSend(text)).toBe(false)
  })
})

describe('one column with several states', () => {
  const rows = [
    '2006;2007;10;EUR;A;payé',
    '2006;2008;20;EUR;B;à payer',
    '2006;2009;30;EUR;C;',
    '2006;2009;5;EUR;D;odd',
  ]
  const ask = (from: string, ...typed: readonly (readonly [string, string])[]) =>
    home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
      columns: 300,
      questionsAt: {columns: 300, rows: 30},
      typed,
    })

  it('is asked about once, with all that it says, and the line says the same again', async () => {
    const from = await sheet(...rows)
    const {stderr, code} = await ask(
      from,
      ['The other rows say: à payer; odd; nothing. What about it?', ''],
      ['Continue?', 'n'],
    )
    expect(code).toBe(2)
    expect(stderr).toContain('send 3 transfers: EUR 55.00')
    expect(stderr).not.toContain('whatever it says')
    const again = await run(from, '--marked-rows', 'skip', '--map', 'Status=none')
    expect(texts(again.stdout)).toEqual(['B', 'C', 'D'])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('--marked-rows skip --map Status=none')
  })

  it('with more words than a question shows is asked about again', async () => {
    const more = ['2006;2009;6;EUR;E;odder', '2006;2009;7;EUR;F;oddest']
    const {stderr} = await ask(
      await sheet(...rows, ...more),
      ['What about it?', ''],
      ['What about these rows?', ''],
    )
    expect(stderr).not.toContain('The other rows say')
    expect(stderr).toContain('has states that may say that rows are not to be sent')
  })
})

it('a text that ends with a full stop gets no second one', async () => {
  const from = await sheet('2006;2007;10;EUR;A;open', '2006;2007;20;EUR;B;erledigt am 3.11.')
  const {stderr} = await run(from)
  expect(stderr).toMatch(/Line 3: erledigt am 3\.11\.(?!\.)/)
})
