// Spreadsheets from keyboards and systems that have no ä, é or ø.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {inAllSpellings, spellingsOf} from '../../src/cli/sheet/spellings.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const create = (...lines: readonly string[]) =>
  home.run(['a2a', 'create', '--from', '-', '--dry-run', '-o', 'json'], {stdin: `${lines.join('\n')}\n`})

describe('a2a create --from knows headings', () => {
  it.each([
    ['German', 'Auftraggeber;Beguenstigter;Betrag;Waehrung;Ueberweisungstext'],
    ['German, compound', 'Belastungskonto;Beguenstigtenkonto;Ueberweisungsbetrag;Auftragswaehrung;Zweck'],
    ['German, marks left out', 'Auftraggeber;Empfanger;Betrag;Wahrung;Uberweisungstext'],
    ['Swedish', 'fran;till;belopp;valuta;aendamaal'],
    ['Swedish, parties', 'avsaendare;formanstagare;belopp;valuta;meddelande till mottagare'],
    ['Finnish', 'tililta;tilille;maara;valuutta;viesti saajalle'],
    ['French', 'emetteur;beneficiaire;montant a payer;devise;libelle'],
    ['Spanish', 'cuenta de debito;cuenta de credito;importe;codigo de moneda;descripcion'],
    ['Danish', 'afsender;beloebsmodtager;beloeb;valuta;bemaerkning'],
    ['Norwegian', 'avsender;mottaker;belop;valuta;tekst'],
  ])('in %s', async (_, headings) => {
    const {code, stdout, stderr} = await create(headings, '2006;2007;12,50;EUR;rent')
    expect([code, stderr.match(/Error.*/)?.[0]]).toEqual([0, undefined])
    expect(JSON.parse(stdout)).toMatchObject({
      body: {transfers: [{fromAccountId: '2006', toAccountId: '2007', amount: 12.5, currency: 'EUR'}]},
    })
  })

  it.each([
    ['a sum', ['von;an;Betrag;Waehrung', '2006;2007;12,50;EUR', '2006;2011;1,00;EUR', 'yhteensa;;13,50;']],
    [
      'a carried sum',
      ['von;an;Betrag;Waehrung', '2006;2007;12,50;EUR', 'Uebertrag;;12,50;', '2006;2011;1;EUR'],
    ],
  ])('and the word for %s', async (_, lines) => {
    const {code, stdout} = await create(...lines)
    expect([code, JSON.parse(stdout).body.transfers.length]).toEqual([0, 2])
  })

  it.each([
    ['a title', ['von;an;Betrag;Waehrung', '2006;2007;2;EUR', 'Rueckzahlungen;;;', '2006;2011;1;EUR']],
    ['a state', ['von;an;Betrag;Waehrung;Status', '2006;2007;2;EUR;gueltig', '2006;2011;1;EUR;geloescht']],
    ['a line above', ['Ueberholt, siehe Liste 2', 'von;an;Betrag;Waehrung', '2006;2007;2;EUR']],
  ])('and refuses rows that %s says are not to be sent', async (_, lines) => {
    const {code, stderr} = await create(...lines)
    expect([code, stderr]).toEqual([2, expect.stringContaining('INPUT_INVALID')])
  })

  it('and takes the word Payee for no payé', async () => {
    const {code} = await create(
      'from;to;amount;currency;Payee',
      '2006;2007;2;EUR;A. Berg',
      '2006;2011;3;EUR;',
    )
    expect(code).toBe(0)
  })
})

describe('spellings', () => {
  it.each([
    ['Überweisung', ['überweisung', 'uberweisung', 'ueberweisung']],
    ['Straße', ['straße', 'strasse', 'strasse']],
    ['beløb', ['beløb', 'belob', 'beloeb']],
    ['på måfå', ['på måfå', 'pa mafa', 'paa maafaa']],
    ['señal', ['señal', 'senal', 'senal']],
    ['amount', ['amount', 'amount', 'amount']],
  ])('of %s', (word, spellings) => {
    expect(spellingsOf(word)).toEqual(spellings)
  })

  it('in a pattern stand for a letter and for a class of letters', () => {
    const pattern = inAllSpellings(/^(?:[äa]l[äa]|f[^ö]r|(?<word>g\p{L}lö?scht))$/iu)
    for (const word of ['älä', 'ala', 'aelae', 'fur', 'gelöscht', 'GELOESCHT', 'geloscht', 'gelscht'])
      expect([word, pattern.test(word)]).toEqual([word, true])
    expect(pattern.test('för')).toBe(false)
  })
})
