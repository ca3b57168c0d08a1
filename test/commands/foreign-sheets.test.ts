// Spreadsheets as customers of a bank send them: read without a terminal and without a flag, or refused with the reason.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import writeXlsx, {type SheetData} from 'write-excel-file/node'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Sent {
  readonly body: {readonly transfers: readonly Record<string, unknown>[]}
}

const WHOLE = {fromAccountId: '2006', toAccountId: '2007', amount: 1250.5, currency: 'EUR', text: 'Äpfel'}
const SECOND = {fromAccountId: '2006', toAccountId: '2008', amount: 12, currency: 'EUR'}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, content)
  return path
}

const dryRun = (from: string, ...flags: string[]) =>
  home.json<Sent>(['a2a', 'create', '--from', from, ...flags, '--dry-run'])
const said = (from: string) => home.run(['a2a', 'create', '--from', from, '--dry-run'])
const refused = async (from: string, ...flags: string[]) => {
  const result = await home.run(['a2a', 'create', '--from', from, ...flags, '--yes'])
  expect(result.code).toBe(2)
  expect(await home.json(['requests', 'list'])).toEqual([])
  return result.stderr
}

it.each<[language: string, content: string | Uint8Array]>([
  [
    'German, windows-1252',
    Buffer.from(
      'Von Konto;An Konto;Betrag;Währung;Verwendungszweck;Datum\r\n2006;2007;1.250,50;EUR;Äpfel;01.11.2020\r\n2006;2008;12,00;EUR;;01.11.2020\r\n',
      'latin1',
    ),
  ],
  [
    'Swedish',
    'Från konto\tTill konto\tBelopp (EUR)\tMeddelande\n2006\t2007\t1 250,50\tÄpfel\n2006\t2008\t12,00\t\n',
  ],
  [
    'Finnish, UTF-16',
    Buffer.from(
      '\ufeffTililtä;Tilille;Määrä;Valuutta;Viesti\r\n2006;2007;1 250,50;EUR;Äpfel\r\n2006;2008;12,00;EUR;\r\n',
      'utf16le',
    ),
  ],
  [
    'French',
    'Compte débiteur;Compte bénéficiaire;Montant;Devise;Motif\n2006;2007;1\u00a0250,50 €;EUR;Äpfel\n2006;2008;12,00 €;EUR;\n',
  ],
  [
    'Spanish',
    'Cuenta de origen;Cuenta de destino;Importe;Moneda;Concepto\n2006;2007;1.250,50;EUR;Äpfel\n2006;2008;12;EUR;\n',
  ],
  ['Danish', 'Fra konto;Til konto;Beløb;Valuta;Besked\n2006;2007;1.250,50;EUR;Äpfel\n2006;2008;12,-;EUR;\n'],
  [
    'Norwegian',
    'Fra konto;Til konto;Beløp;Valuta;Melding\n2006;2007;1 250,50;EUR;Äpfel\n2006;2008;12,00;EUR;\n',
  ],
  [
    'Swiss',
    "From account no.,To account no.,Amount,Currency,Text\n2006,2007,1'250.50,EUR,Äpfel\n2006,2008,12.00,EUR,\n",
  ],
  [
    'German, with a day under Valuta',
    'Von Konto;Nach Konto;Betrag;Währung;Text;Valuta\n2006;2007;1.250,50;EUR;Äpfel;01.11.2020\n2006;2008;12,00;EUR;;01.11.2020\n',
  ],
  [
    'English, with a title and a sum',
    'Payments of May,,,,\n\nFrom,To,Amount,Currency,Description\n2006,2007,"1,250.50",EUR,Äpfel\n2006,2008,12.00,EUR,\n,,,,\nTotal,,"1,262.50",,\n',
  ],
])('a file of %s is read without a flag', async (_, content) => {
  const {body} = await dryRun(await file('sheet.csv', content))
  expect(body.transfers).toEqual([WHOLE, SECOND])
})

it('what was left out is said', async () => {
  const from = await file(
    'sheet.csv',
    'Payments\n\nfrom,to,amount,currency,invoice\n2006,2007,10,EUR,A\n2006,2008,20,EUR,B\n,,30,,\n',
  )
  const {stderr} = await home.run(['a2a', 'create', '--from', from, '--dry-run'])
  expect(stderr).toContain('Above the header, line 1 is left out.')
  expect(stderr).toContain('Line 6 is left out: it is the sum of the rows.')
  expect(stderr).toContain('Columns that are not used: invoice.')
})

it('a sum is one whose sign of a currency may still mean several', async () => {
  const rows = '2006;2007;1 250,00 kr\n2006;2008;350,50 kr\nSumma;;1 600,50 kr\n'
  const from = await file('sheet.csv', `Från konto;Till konto;Belopp\n${rows}`)
  const {stderr} = await home.run(['a2a', 'create', '--from', from, '--dry-run'])
  expect(stderr).toContain(
    '2 rows (lines 2, 3), currency: may be SEK, NOK, DKK, ISK; add --fill currency=CODE',
  )
  expect(stderr).not.toMatch(/the sum of the rows|is missing/)
  const filled = await home.run(['a2a', 'create', '--from', from, '--dry-run', '--fill', 'currency=SEK'])
  expect(filled.stderr).toContain('Line 4 is left out: it is the sum of the rows.')
  const wrong = await file('wrong.csv', `Från konto;Till konto;Belopp\n${rows.replace('1 600', '1 700')}`)
  const refused = await home.run(['a2a', 'create', '--from', wrong, '--dry-run'])
  expect(refused.stderr).toContain('is not the sum of the rows')
})

describe('refused', () => {
  it.each([
    [
      'a sum that is none',
      'from,to,amount,currency\n2006,2007,10,EUR\n,,31,EUR\n',
      'line 3 has an amount and no account',
    ],
    ['a minus', 'from,to,amount,currency\n2006,2007,-10,EUR\n', 'is negative'],
    ['a minus behind', 'from,to,amount,currency\n2006,2007,10.00-,EUR\n', 'is negative'],
    ['a full-width minus', 'from,to,amount,currency\n2006,2007,－10.00,EUR\n', 'is negative'],
    ['a share', 'from,to,Amount (%),currency\n2006,2007,10,EUR\n', '10 under it may be 10 or 10%'],
    [
      'another currency than the sign in the heading',
      'from,to,Betrag €,currency\n2006,2007,10,USD\n',
      'is USD, but EUR is beside the amount',
    ],
    ['brackets', 'from,to,amount,currency\n2006,2007,(10.00),EUR\n', 'is negative'],
    [
      'rows that are cancelled',
      'from,to,amount,currency,state\n2006,2007,10,EUR,ok\n2006,2008,5,EUR,Cancelled\n',
      'not to be sent: line 3',
    ],
    [
      'an amount whose comma cut it, with the rest as a text',
      'from,to,currency,amount,text\n2006,2007,EUR,1,234.50\n2006,2008,EUR,2,100.00\n',
      'may be 1,234.50, cut at its comma, or 1 and a 234.50 beside it',
    ],
    [
      'a decimal comma that cut it, with words after the rest',
      'From,To,Amount EUR,Text\n2006,2007,1234,50 Rent\n',
      'may be 1234,50, cut at its comma',
    ],
    [
      'a thousands comma that cut it, with words after the rest',
      'From,To,Amount EUR,Text\n2006,2007,1,234.50 Rent\n',
      'may be 1,234.50, cut at its comma',
    ],
    [
      'another currency in the title',
      'All amounts in USD,,,\nFrom,To,Amount EUR,Text\n2006,2007,12.00,Rent\n',
      'line 1 names a currency that no row has',
    ],
    [
      'two encodings',
      Buffer.concat([
        Buffer.from('from,to,amount,currency,text\n2006,2007,10,EUR,Müller\n'),
        Buffer.from('2006,2007,10,EUR,Jürgen\n', 'latin1'),
      ]),
      'has two encodings: line 2 is UTF-8, and line 3 is not',
    ],
    ['a text that begins with STORNO', 'from,to,amount,currency,text\n2006,2007,1,EUR,STORNO B\n', 'line 2'],
    [
      'a decimal comma that cut it',
      'from,to,currency,amount,text\n2006,2007,EUR,12,50\n',
      'may be 12,50, cut at its comma',
    ],
    [
      'the rest under a heading that is not used',
      'from,to,currency,amount,ref\n2006,2007,EUR,12,500\n2006,2008,EUR,1,900\n',
      'may be 12,500, cut at its comma',
    ],
    [
      'some amounts that were cut, among rows without a text',
      'from,to,currency,amount,text\n2006,2007,EUR,1,000\n2006,2008,EUR,900,\n',
      'row 1 (line 2), amount: may be 1,000, cut at its comma',
    ],
    [
      'an amount that was cut before accounts, in a row that may end one column earlier',
      'amount,from,to,currency,text\n1,234,2006,2007,EUR\n',
      'may be 1,234, cut at its comma',
    ],
    [
      'a text with a card number',
      'from,to,amount,currency,text\n2006,2007,10,EUR,Card 4111 1111 1111 1111\n',
      'looks like a card number',
    ],
    [
      'a quote that swallows rows',
      'from,to,amount,currency,text\n2006,2007,10,EUR,"Rent\n2006,2008,10,EUR,Gas"\n',
      'other rows within its quotes',
    ],
    ['a day to come', 'from,to,amount,currency,due\n2006,2007,10,EUR,2999-01-31\n', 'has days to come'],
    [
      'rows above the header',
      '2006,2007,5,EUR\nfrom,to,amount,currency\n2006,2008,10,EUR\n',
      'what is above them may be rows: line 1',
    ],
    ['debit and credit', 'from,to,amount,currency,S/H\n2006,2007,10,EUR,S\n', 'which direction'],
    [
      'two amounts',
      'from,to,amount,Betrag,currency\n2006,2007,10,11,EUR\n',
      'amount; Betrag may each be amount',
    ],
    [
      'another currency beside the amount',
      'from,to,amount,currency\n2006,2007,10 €,SEK\n',
      'is SEK, but EUR',
    ],
    ['kronor of three countries', 'from,to,amount\n2006,2007,10 kr\n', 'may be SEK, NOK, DKK'],
    [
      'unknown headings',
      'Kunde;Ziel;Menge\n2006;2007;1\n',
      'Found: Kunde; Ziel; Menge. Needed: from; to; amount; currency',
    ],
    [
      'a misspelt heading',
      'from,to,amount,currency,descripton\n2006,2007,10,EUR,Rent\n',
      'Did you mean description?',
    ],
    [
      'a file of DOS',
      Buffer.from('from,to,amount,currency,text\n2006,2007,10,EUR,W\x84hrung\n', 'latin1'),
      'neither UTF-8 nor windows-1252',
    ],
  ])('%s', async (_, content, why) => {
    expect(await refused(await file('sheet.csv', content))).toContain(why)
  })
})

it('numbers beside an amount are texts if quotes or other amounts show it', async () => {
  const rows = [
    'from,to,currency,amount,text\n2006,2007,EUR,"12","500"\n2006,2008,EUR,"1",900\n',
    'from,to,currency,amount,text\n2006,2007,EUR,12,500\n2006,2008,EUR,1500,Gas\n',
  ]
  for (const content of rows) {
    const {body} = await dryRun(await file('texts.csv', content))
    expect(body.transfers.map(({amount, text}) => [amount, text])).toContainEqual([12, '500'])
  }
  const card = 'from,to,amount,currency,text\n2006,2007,10,EUR,4111111111111111\n'
  const {body} = await dryRun(await file('card.csv', card), '--not-a-card-number')
  expect(body.transfers).toHaveLength(1)
})

it('what is wrong with many rows is one line, with lines and values', async () => {
  const rows = ['1.250', '2.500', '-3', '-4', '3.500'].map(amount => `2006;2007;${amount};EUR\n`)
  const from = await file('many.csv', `Von;An;Betrag;Währung\n${rows.join('')}2006;2007;x;EUR\n`)
  const stderr = await refused(from)
  expect(stderr).toContain('6 rows of')
  expect(stderr).toMatch(/3 rows \(lines 2, 3, 6\), amount: .*thousands.* \('1\.250', '2\.500', '3\.500'\)/)
  expect(stderr).toMatch(/2 rows \(lines 4, 5\), amount: is negative.* \('-3', '-4'\)/)
  expect(stderr).toContain('row 6 (line 7), amount: The amount is not a decimal number')
  const json = await home.run(['a2a', 'create', '--from', from, '--yes', '-o', 'json'])
  expect(JSON.parse(json.stderr).error.data).toMatchObject({
    count: 6,
    groups: [{count: 3, rows: [1, 2, 5], lines: [2, 3, 6], values: ['1.250', '2.500', '3.500']}, {}, {}],
  })
})

it('names of people and firms may hold any word', async () => {
  const from = await file(
    'sheet.csv',
    'from,to,amount,currency,name\n2006,2007,10,EUR,Stop & Shop\n2006,2008,5,EUR,Cancella Paid\n2006,2008,6,EUR,Ejvind\n',
  )
  expect((await dryRun(from)).body.transfers).toHaveLength(3)
})

it('flags say what the file does not', async () => {
  const from = await file('sheet.csv', 'Kunde;Ziel;Menge;due\n2006;2007;12,50;2999-01-31\n')
  const flags = ['Kunde=from', 'Ziel=to', 'Menge=amount', 'due=none'].flatMap(map => ['--map', map])
  const {body} = await dryRun(from, ...flags, '--fill', 'currency=eur')
  expect(body.transfers).toEqual([
    {fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'EUR'},
  ])
})

const HEADER = ['Von', 'An', 'Betrag', 'Währung', 'Verwendungszweck']
const workbook = (...data: SheetData[]): Promise<Buffer> =>
  data.length === 1
    ? writeXlsx(data[0] as SheetData).toBuffer()
    : writeXlsx(data.map((rows, at) => ({sheet: `Sheet ${at + 1}`, data: rows}))).toBuffer()
const rowsOf = (...rows: readonly (readonly (string | number)[])[]): SheetData =>
  rows.map(row => row.map(value => ({value})))

it('a workbook is read as it is stored: numbers, and text with a comma', async () => {
  const data = rowsOf(HEADER, [2006, 2007, 1250.5, 'EUR', 'Äpfel'], ['2006', '2008', '12,00', 'EUR'])
  const {body} = await dryRun(await file('sheet.xlsx', await workbook(data)))
  expect(body.transfers).toEqual([WHOLE, SECOND])
  // As computed by a formula.
  const computed = rowsOf(HEADER, [2006, 2007, 55.1 * 1.0000000000000002, 'EUR', 'x'])
  const {body: exact} = await dryRun(await file('computed.xlsx', await workbook(computed)))
  expect(exact.transfers).toMatchObject([{amount: 55.1}])
})

it('of several sheets with rows the user names one', async () => {
  const one = rowsOf(HEADER, [2006, 2007, 1, 'EUR', 'x'])
  const from = await file(
    'sheets.xlsx',
    await workbook(one, rowsOf(HEADER, [2006, 2008, 2, 'EUR', 'y']), rowsOf(['Notes'])),
  )
  expect(await refused(from)).toContain('rows on 2 sheets: Sheet 1, Sheet 2')
  const {body} = await dryRun(from, '--sheet', 'sheet 2')
  expect(body.transfers).toMatchObject([{amount: 2}])
  expect(await refused(from, '--sheet', 'Sheet 9')).toContain('It has Sheet 1, Sheet 2, Sheet 3')
})

it('a sheet that is not read is named, and what may be rows on it is asked about', async () => {
  const one = rowsOf(HEADER, [2006, 2007, 1, 'EUR', 'x'])
  const notes = await file('notes.xlsx', await workbook(one, rowsOf(['Notes'], ['nothing to pay'])))
  expect((await dryRun(notes)).body.transfers).toHaveLength(1)
  expect((await said(notes)).stderr).toContain('The sheet Sheet 2 is not read.')
  const more = await file('more.xlsx', await workbook(one, rowsOf([2006, 2008, 2, 'EUR', 'y'])))
  expect(await refused(more)).toContain('has what may be rows on 2 sheets: Sheet 1, Sheet 2')
})

it('rows far below the others are sent, and said', async () => {
  const gap = Array.from({length: 60}, () => ',,,')
  const lines = ['from,to,amount,currency', '2006,2007,1,EUR', ...gap, '2006,2008,2,EUR', '']
  const from = await file('far.csv', lines.join('\n'))
  expect((await dryRun(from)).body.transfers).toHaveLength(2)
  expect((await said(from)).stderr).toContain('Lines 3 to 62 are empty, and below them is 1 row.')
})

it('a sheet is offered with the number of its rows', async () => {
  const row = [2006, 2007, 1, 'EUR', 'x']
  const sheets = [rowsOf(HEADER, row), rowsOf(HEADER, row, row)]
  const bytes = await writeXlsx(sheets.map((data, at) => ({data, sheet: `Office ${at + 1}`}))).toBuffer()
  const {stderr} = await home.run(
    ['a2a', 'create', '--from', await file('two.xlsx', bytes), '-p', 'sandbox'],
    {
      columns: 200,
      questionsAt: {columns: 200, rows: 30},
      typed: [
        ['Which sheet has the transfers?', ''],
        ['Continue?', 'n'],
      ],
    },
  )
  expect(stderr).toContain('Office 1: 1 row')
  expect(stderr).toContain('Office 2: 2 rows')
})

it('rows that a workbook hides are named, and sent or left out as the user says', async () => {
  const {strFromU8, strToU8, unzipSync, zipSync} = await import('fflate')
  const data = rowsOf(HEADER, [2006, 2007, 1, 'EUR', 'x'], [2006, 2008, 2, 'EUR', 'y'])
  const parts = unzipSync(await workbook(data))
  const name = Object.keys(parts).find(each => /worksheets\/[^/]+\.xml$/.test(each)) ?? ''
  const hidden = strFromU8(parts[name] ?? new Uint8Array()).replace('<row r="3"', '<row r="3" hidden="1"')
  const from = await file('hidden.xlsx', zipSync({...parts, [name]: strToU8(hidden)}))
  expect(await refused(from)).toContain('has hidden rows: line 3. It says "2006; 2008; 2; EUR; y".')
  const {stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['The sheet hides line 3. It says "2006; 2008; 2; EUR; y". What about it?', ''],
      ['Continue?', 'n'],
    ],
  })
  expect(stderr).toContain('send 1 transfer: EUR 1.00')
  expect((await dryRun(from, '--hidden-rows', 'skip')).body.transfers).toHaveLength(1)
  expect((await dryRun(from, '--hidden-rows', 'send')).body.transfers).toHaveLength(2)
})

it('cells beside the table that nothing names may say something too', async () => {
  const data = rowsOf(HEADER, [2006, 2007, 1, 'EUR', 'x', 'cancelled'], [2006, 2008, 2, 'EUR', 'y'])
  const from = await file('beside.xlsx', await workbook(data))
  expect(await refused(from)).toContain('column 6 may say that rows are not to be sent: line 2')
  expect((await dryRun(from, '--map', 'column 6=none')).body.transfers).toHaveLength(2)
})

it('on a terminal, what the file does not say is asked once, and the flags that say it are shown', async () => {
  const from = await file('ask.csv', 'Kunde;Ziel;Menge\n2006;2007;6.000\n')
  const {code, stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['that the money comes from?', ''],
      ['that the money goes to?', ''],
      ['Which column has the amount?', ''],
      ['Which column has the currency?', ''],
      ['Which currency do all rows have?', 'euro'],
      ['How are decimals written in', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).toContain('send 1 transfer: EUR 6\u202f000.00')
  expect(code).toBe(0)
})

it('on a terminal, what is wrong whatever is answered is said before the currency is asked for', async () => {
  const from = await file('minus.csv', 'from;to;amount\n2006;2007;1.500\n2006;2008;-20\n')
  const {code, stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [['Which column has the currency?', '']],
  })
  expect(code).toBe(2)
  expect(stderr).toMatch(/row 2 \(line 3\), amount: is negative\./)
  expect(stderr).not.toContain('Which')
})

it.each([
  ['beside amounts', 'from;to;amount\n2006;2007;10 kr\n2006;2008;20 kr\n'],
  ['in a column', 'from;to;amount;currency\n2006;2007;10;kr\n2006;2008;20;KR\n'],
  ['in a heading', 'from;to;amount (kr)\n2006;2007;10\n2006;2008;20\n'],
])('on a terminal, a sign of several currencies %s is asked about once', async (_, content) => {
  const from = await file('signs.csv', content)
  const {code, stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['Which currency is kr?', '\u001b[B'],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).toContain('NOK: Norwegian Krone')
  expect(stderr).toContain('send 2 transfers: NOK 30.00')
  expect(code).toBe(0)
  expect(
    await home.run(['a2a', 'create', '--from', from, '--fill', 'currency=NOK', '--dry-run']),
  ).toMatchObject({
    code: 0,
  })
})

it('what is said of a spreadsheet is refused without one, and so is saying it twice', async () => {
  const from = await file('rows.ndjson', '{"from":"2006","to":"2007","amount":1}\n')
  expect(await refused(from, '--fill', 'currency=EUR')).toContain('--fill needs a spreadsheet')
  const typed = ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--hidden-rows', 'skip', '--yes']
  expect(await home.run(typed)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no --from'),
  })
  const sheet = await file('two.csv', 'from,to,currency,A,B\n2006,2007,EUR,1,2\n')
  expect(await refused(sheet, '--map', 'A=amount', '--map', 'B=amount')).toContain('two columns as amount')
})

it('a column is left out in any case of its title', async () => {
  const from = await file('due.csv', 'from,to,amount,currency,Status\n2006,2007,1,EUR,Paid\n')
  expect((await dryRun(from, '--map', 'status=none')).body.transfers).toHaveLength(1)
})

it('lines of a workbook are counted from its top, and a large file is read', async () => {
  const late: SheetData = [
    [],
    [],
    ...rowsOf(HEADER, [2006, 2007, 1, 'EUR', 'x'], [2006, 2007, -2, 'EUR', 'y']),
  ]
  expect(await refused(await file('late.xlsx', await workbook(late)))).toContain(
    '(line 5), amount: is negative',
  )
  const rows = isWhole ? 200_000 : 20_000
  const many = `from,to,amount,currency\n${'2006,2007,1,EUR\n'.repeat(rows)}2006,2007,-1,EUR\n`
  expect(await refused(await file('many.csv', many))).toContain(`row ${rows + 1}`)
}, 60_000)

it('what is no workbook says how to save one', async () => {
  expect(await refused(await file('old.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex')))).toContain(
    'save it as XLSX',
  )
  expect(await refused(await file('cut.xlsx', Buffer.from('PK\u0003\u0004 not a zip')))).toContain(
    'no workbook',
  )
})

describe('what is beside the amounts is not passed over', () => {
  const sheet = (heading: string, cell: string) =>
    `from;to;amount;currency;${heading}\n2006;2007;12;EUR;${cell}\n2006;2008;3;EUR;\n`

  it.each<readonly [string, string]>([
    ['Paid', 'x'],
    ['Paid', 'TRUE'],
    ['Paid on', '2020-01-01'],
    ['Betald', 'x'],
    ['Maksettu', 'x'],
    ['Approved', 'N'],
    ['Freigegeben', 'nein'],
    ['Hold', 'yes'],
    ['Send?', 'no'],
    ['Skip', 'x'],
    ['Deleted', '1'],
    ['type', 'Refund'],
    ['unit', 'thousand'],
    ['factor', '1000'],
    ['multiplier', '10'],
    ['quantity', '3'],
    ...['15.12.99', '20991215', '15 Dec 2099', '15. Dezember 2099', 'Dec 15, 2099', '15-Dec-99'].map(
      day => ['Due date', day] as const,
    ),
    ...['15.12.', 'KW 51', 'next week', '46371'].map(day => ['Ausführungsdatum', day] as const),
    ...['tomorrow', 'end of month', 'Monatsende'].map(day => ['Datum', day] as const),
    ['Date', '15.12.'],
  ])('a column %s with %s', async (heading, cell) => {
    const from = await file('beside.csv', sheet(heading, cell))
    expect(await refused(from)).toContain(heading === 'Send?' ? 'column 5 may say' : `the column ${heading} `)
    expect((await dryRun(from, '--map', `${heading}=none`)).body.transfers).toHaveLength(2)
  })

  it.each([
    ['Paid', 'no'],
    ['Due date', '15 Dec 2020'],
    ['Due date', 'sofort'],
    ['Date', '15 Dec 2020'],
    ['Date', 'today'],
    ['quantity', '1'],
  ])('a column %s with %s is harmless', async (heading, cell) => {
    const from = await file('harmless.csv', sheet(heading, cell))
    expect((await dryRun(from)).body.transfers).toHaveLength(2)
  })

  it.each(['storniert', 'Cancelled', 'do not pay', 'STORNO'])('a text %s', async text => {
    const from = await file('text.csv', sheet('text', text))
    expect(await refused(from)).toContain('may say that it is not to be sent: line 2')
    expect((await dryRun(from, '--map', 'text=none')).body.transfers).toHaveLength(2)
  })

  it.each([
    'Beträge in TEUR',
    'All amounts in thousands (EUR)',
    'Angaben in Cent',
    'Limits in TEUR',
    'DRAFT - do not execute',
    'NOT APPROVED',
    'ALREADY PAID',
    'Bereits bezahlt am 2.5.',
    'Storno',
    'Belopp i tkr',
    'Beløb i 1.000',
    'Bitte erst nach dem 15.06. ausführen',
  ])('a line %s above or below', async line => {
    const rows = 'from;to;amount;currency\n2006;2007;12;EUR\n'
    expect(await refused(await file('above.csv', `${line};;;\n${rows}`))).toContain('line 1 may say that')
    expect(await refused(await file('below.csv', `${rows}${line};;;\n`))).toContain('line 3 may say that')
  })

  it.each([
    [
      'a text of its own',
      '2006;2007;12,50;EUR;a\n;;12,50;EUR;rent for Bob\n',
      'line 3 has an amount and no account',
    ],
    [
      'several currencies',
      '2006;2007;1,50;EUR;a\n2008;2009;1,50;USD;b\nTotal;;3,00;;\n',
      'in several currencies',
    ],
  ])('a row below with %s is no sum', async (_, rows, message) => {
    expect(await refused(await file('sum.csv', `from;to;amount;currency;text\n${rows}`))).toContain(message)
  })
})

it.each(['12<!-- x -->5', '<![CDATA[125]]>', '0x10'])('a stored value %s is refused', async value => {
  const {strFromU8, strToU8, unzipSync, zipSync} = await import('fflate')
  const parts = unzipSync(await workbook(rowsOf(HEADER, [2006, 2007, 125, 'EUR', 'x'])))
  const name = Object.keys(parts).find(each => /worksheets\/[^/]+\.xml$/.test(each)) ?? ''
  const xml = strFromU8(parts[name] ?? new Uint8Array()).replace('<v>125</v>', `<v>${value}</v>`)
  const from = await file('value.xlsx', zipSync({...parts, [name]: strToU8(xml)}))
  expect(await refused(from)).toContain('(line 2), amount: is an error of the spreadsheet')
})
