// The words over columns of transfers, and the signs beside amounts, in the eight languages: read without a flag.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {readTransferFile} from '../../src/commands/a2a/shared/transfer-file.ts'
import {readTransferHeading} from '../../src/commands/a2a/shared/transfer-headings.ts'
import {surroundings} from '../helpers/sheet-surroundings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headings-'))
})
afterAll(() => rm(folder, {recursive: true}))

async function read(content: string, map?: readonly string[]) {
  const path = join(folder, 'sheet.csv')
  await writeFile(path, content)
  const {transfers} = await readTransferFile(path, surroundings, {map})
  return transfers.map(one => [one.fromAccountId, one.toAccountId, one.amount, one.currency, one.text])
}

describe('headings', () => {
  it.each([
    'Debit account number;Beneficiary account number;Amount;Currency;Payment reference',
    "Payer's account;Payee's account;Amount;Currency;Narration",
    'Account to debit;Account to credit;Amount to pay;Currency;Details',
    'From a/c;To a/c;Amt;Ccy;Reference',
    'Ordering account;Receiving account;Payment amount;Payment currency;Payment description',
    'Account (payer);Account (payee);Net pay;Currency;Message to payee',
    'Payer;Payee;Amount;Currency;Unstructured remittance',
    'Debitor;Kreditor;Betrag;Währung;Zweck',
    'Debitorenkonto;Kreditoren-Nr.;Betrag;Währung;Zweck',
    'Payor;Transferee;Amount;Currency;Narration',
    'Gäldenär;Borgenär;Belopp;Valuta;Meddelande',
    'Velallinen;Velkoja;Summa;Valuutta;Viesti',
    'Deudor;Acreedor;Importe;Moneda;Concepto',
    'Oppdragsgiver;Betalingsmottaker;Beløp;Valuta;Melding',
    'Konto Auftraggeber;Konto Begünstigter;Betrag;Währung;Zahlungsgrund',
    'Konto des Zahlers;Konto des Zahlungsempfängers;Betrag;Währung;Verwendungszweck 1',
    'Zu belastendes Konto;Begünstigtes Konto;Auszahlungsbetrag;Währung;Mitteilung an Empfänger',
    'Auftraggeber-Kto.-Nr.;Empfänger-Kto.-Nr.;Betrag;Whg.;Verw.-Zweck',
    'Lastkonto;Zielkonto;Nettolohn;Zahlungswährung;VWZ',
    'Avsändarens konto;Mottagarens konto;Att betala;Valuta;Meddelande till mottagaren',
    'Konto avsändare;Konto mottagare;Belopp;Valuta;OCR/Meddelande',
    'Maksajan tilinumero;Saajan tilinumero;Maksettava;Valuutta;Viesti saajalle',
    'Veloitettava tili;Hyvitettävä tili;Määrä;Valuutta;Selite',
    'Maksutili;Saajatili;Summa;Valuutta;Viesti',
    'Compte débité;Compte crédité;Montant;Devise;Motif du paiement',
    'Compte du donneur d’ordre;Compte du bénéficiaire;Net à payer;Devise;Libellé du virement',
    'N° compte émetteur;Numéro de compte destinataire;Somme;Monnaie;Communication',
    'Cuenta del ordenante;Cuenta del beneficiario;Importe a pagar;Moneda;Concepto del pago',
    'Nº cuenta origen;Nº cuenta destino;Importe;Divisa;Concepto',
    'Cuenta débito;Cuenta crédito;Monto;Moneda;Descripción',
    'Afsenders konto;Modtagers konto;Beløb;Valuta;Besked til modtager',
    'Betal fra konto;Betal til konto;Beløb;Møntsort;Meddelelse',
    'Avsenders kontonummer;Mottakers kontonummer;Å betale;Valuta;Melding til mottaker',
    'Belast konto;Mottakerkonto;Beløp;Valuta;Betalingsinformasjon',
    'DbtrAcct;CdtrAcct;InstdAmt;Ccy;Ustrd',
    'debtorAccount;creditorAccount;instructedAmount;currency;remittanceInformation',
    'fromaccount;toaccount;amount;currency;text',
    '1. From account;2. To account;3. Amount;4. Currency;5. Text',
    'From account (required);To account (required);Amount (required);Currency (required);Text (optional)',
    'Von Konto (From account);An Konto (To account);Betrag (Amount);Währung (Currency);Zweck (Purpose)',
  ])('%s', async header => {
    expect(await read(`${header}\n2006;2007;1250,50;EUR;A\n`)).toEqual([['2006', '2007', 1250.5, 'EUR', 'A']])
  })

  it.each([
    ...['Konto', 'Sollkonto', 'Habenkonto', 'Gegenkonto', 'Debetkonto', 'Kreditkonto', 'Vendor account'],
    ...[
      'Payee account name',
      'Payee bank',
      'Account currency',
      'Lönekonto',
      'Customer account',
      'Kontostand',
    ],
    ...[
      'Kontoinhaber',
      'Tilikausi',
      'From and to account',
      'To date',
      'Amount (-)',
      'Betrag +/-',
      'VAT amount',
    ],
  ])('%s is none of a field', title => {
    expect(readTransferHeading(title)).toBeUndefined()
  })

  it.each([
    ...['Betrag in Fr.', 'Montant (Fr.)', 'Betrag in Franken', 'CHF Betrag', 'CHF'].map(one => [one, 'CHF']),
    ...['Betrag in Euro', 'Montant en euros', 'Importe (euros)', 'Summa euroa', 'Euroa', 'EUR', '€'].map(
      one => [one, 'EUR'],
    ),
    ...['Belopp (kronor)', 'Belopp SEK', 'Kronor'].map(one => [one, 'SEK']),
  ])('%s says the currency %s', async (heading, currency) => {
    expect(await read(`From;To;${heading}\n2006;2007;12,50\n`)).toEqual([
      ['2006', '2007', 12.5, currency, undefined],
    ])
  })

  it('From and To over days are no accounts', async () => {
    const rows =
      'From;To;From account;To account;Amount;Currency\n2026-05-01;2026-05-31;2006;2007;12,50;EUR\n'
    expect(await read(rows)).toEqual([['2006', '2007', 12.5, 'EUR', undefined]])
  })

  it('a text of fixed width is told by what it is', async () => {
    const rows = 'From   To     Amount   Currency\n2006   2007    12,50   EUR\n'
    await expect(read(rows)).rejects.toThrow('has spaces between its values, as line 1 shows')
  })

  it('a column is named by its place where its heading names another one too, or nothing', async () => {
    const twice = 'Auftraggeber;Konto;Empfänger;Konto;Betrag;Währung\nA;2006;B;2007;12,50;EUR\n'
    await expect(read(twice)).rejects.toMatchObject({
      hint: expect.stringContaining('--map "column 2=from"'),
    })
    await expect(read(twice, ['Konto=from'])).rejects.toThrow('which several columns of')
    const transfer = ['2006', '2007', 12.5, 'EUR', undefined]
    expect(await read(twice, ['column 2=from', 'column 4=to'])).toEqual([transfer])
    const sign = 'From;To;-;Currency\n2006;2007;12,50;EUR\n'
    await expect(read(sign)).rejects.toMatchObject({hint: expect.stringContaining('--map "column 3=amount"')})
    expect(await read(sign, ['column 3=amount'])).toEqual([transfer])
  })

  it('a supplier alone is no account that money goes to', async () => {
    const supplier = 'Von Konto;Kreditor;Betrag;Währung\n2006;70001;12,50;EUR\n'
    await expect(read(supplier)).rejects.toMatchObject({hint: expect.stringContaining('--map "Kreditor=to"')})
    const names = 'Debitor;Kreditor;Betrag;Währung\n2006;Anna;12,50;EUR\n'
    await expect(read(names)).rejects.toThrow('no column is known as from or to')
  })

  it('an account beside a recipient is refused with both readings, and read as either', async () => {
    const either = 'Konto;Empfaenger;Betrag;Währung\n2006;2007;12,50;EUR\n'
    await expect(read(either)).rejects.toMatchObject({
      message: expect.stringContaining(
        'Konto may be the account that the money comes from, or that of Empfaenger.',
      ),
      hint: 'If Empfaenger is the account that the money goes to, add --map "Konto=from". If Konto is, add --map "Konto=to" --map "Empfaenger=none" --fill from=ACCOUNT.',
    })
    expect(await read(either, ['Konto=from'])).toEqual([['2006', '2007', 12.5, 'EUR', undefined]])
  })

  it('the example of --map is a column that may have the field', async () => {
    const list = 'Nr;Name;Lönekonto;Nettolön;Valuta\n1;M;2007;12,50;SEK\n'
    await expect(read(list)).rejects.toMatchObject({hint: expect.stringContaining('--map "Lönekonto=to"')})
    const bill = 'From;To;Invoice no;Invoice amount;Currency\n2006;2007;4711;12,50;EUR\n'
    await expect(read(bill)).rejects.toMatchObject({
      hint: expect.stringContaining('--map "Invoice amount=amount"'),
    })
  })
})

describe('amounts', () => {
  it.each([
    ["Fr. 1'250.50", 'Fr. 12.–', 'CHF'],
    ['SFr. 1250.50', 'sFr. 12.00', 'CHF'],
    ["CHF 1'250.50", '12.00 CHF', 'CHF'],
    ['1.250,50 €', '12,-- €', 'EUR'],
    ['1250,50 Euro', '12 Euro', 'EUR'],
    ['1 250,50 SEK', '12:- SEK', 'SEK'],
    ['1 250,50 kronor', '12:- kronor', 'SEK'],
    ['NOK 1 250,50', 'NOK 12,-', 'NOK'],
    ['£1,250.50', '£12.00', 'GBP'],
  ])('%s and %s are %s', async (first, second, currency) => {
    expect(await read(`From;To;Amount\n2006;2007;${first}\n2006;2008;${second}\n`)).toEqual([
      ['2006', '2007', 1250.5, currency, undefined],
      ['2006', '2008', 12, currency, undefined],
    ])
  })

  it.each(['kr 12,50', '12,50 kroner', '$12.50'])('%s is of several countries', async amount => {
    await expect(read(`From;To;Amount\n2006;2007;${amount}\n`)).rejects.toThrow('may be')
  })
})
