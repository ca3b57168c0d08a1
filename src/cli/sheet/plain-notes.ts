import {listed} from './sheet-words.ts'
import {isMonth} from './sum-label.ts'

/** What transfers are for, and the documents they are for, in the languages of the columns. None of it decides anything. */
const PURPOSES = listed(
  'invoice, invoices, inv, bill, receipt, contract, order, policy, reference, ref, voucher, customer, client, project, rent, salary, wages, fee, fees, membership, subscription, insurance, electricity, gas, water, heating, phone, internet, cleaning, parking, licence, license, maintenance, repair, delivery, goods, consulting, travel, expenses, bonus, pension, tax, school, tuition, donation',
  'rechnung, rechnungen, rechnungsnummer, rechnungsnr, rg, beleg, vertrag, auftrag, bestellung, kunde, kundennummer, kundennr, referenz, projekt, kostenstelle, quittung, miete, lohn, gehalt, gebühr, gebühren, beitrag, mitgliedsbeitrag, abo, abonnement, versicherung, strom, wasser, heizung, telefon, reinigung, parkplatz, lizenz, wartung, reparatur, lieferung, ware, waren, beratung, reise, reisekosten, spesen, nebenkosten, rente, steuer, schule, spende',
  'faktura, fakturor, fakturanr, fakturanummer, räkning, kvitto, avtal, kund, kundnummer, kundnr, referens, hyra, lön, avgift, medlemsavgift, prenumeration, försäkring, el, vatten, värme, städning, parkering, licens, underhåll, reparation, leverans, varor, konsult, resa, utlägg, skatt, skola',
  'lasku, laskut, laskun, laskunumero, sopimus, tilaus, asiakas, asiakasnumero, viite, projekti, kuitti, vuokra, palkka, jäsenmaksu, vakuutus, sähkö, vesi, lämmitys, puhelin, siivous, pysäköinti, lisenssi, huolto, toimitus, matka, eläke, vero, koulu',
  'facture, factures, contrat, commande, référence, réf, projet, reçu, loyer, salaire, frais, cotisation, assurance, électricité, gaz, eau, chauffage, téléphone, nettoyage, licence, entretien, réparation, livraison, marchandises, conseil, voyage, retraite, impôt, école, don',
  'factura, facturas, contrato, pedido, cliente, referencia, proyecto, recibo, alquiler, salario, nómina, cuota, suscripción, seguro, luz, electricidad, agua, calefacción, teléfono, limpieza, aparcamiento, licencia, mantenimiento, reparación, entrega, viaje, pensión, impuesto, escuela, donación',
  'fakturaer, regning, kontrakt, ordre, kundenummer, kundenr, referanse, prosjekt, kvittering, husleje, husleie, leie, løn, lønn, gebyr, kontingent, medlemskontingent, forsikring, strøm, vand, vann, varme, rengøring, renhold, lisens, vedligeholdelse, vedlikehold, levering, rejse, pensjon, skat, skole',
)

/** Words beside them. */
const BESIDE = listed(
  'for, of, the, and, number, num, nr, month, monthly, quarter, quarterly, year, yearly, annual, weekly',
  'für, der, die, das, den, des, und, nummer, monat, monatlich, quartal, jahr, jährlich, wöchentlich',
  'för, och, av, månad, månadsvis, kvartal, år, årlig, ja, kuukausi, kuukausittain, vuosi, numero',
  'pour, de, du, la, le, les, et, mois, mensuel, trimestre, année, annuel, numéro, del, el, y, mes, mensual, año, anual, número',
  'af, og, måned, månedlig, årlig',
)

const LONGEST = 60
/** `4711`, `RE-2026-01`, `Q1`, and no amount. */
const REFERENCE = /^\p{L}{0,4}[-/]?\d[\d/-]*$/u
/** A day may be one to come, and a number with decimals another amount. */
const DAY_OR_AMOUNT = /\d[.,]\d|\d{1,2}[-/]\d{1,2}[-/]\d{2}/

/** Whether a note says only what a transfer is for: `Rechnung 4711`, `Rent May 2026`. Each of its words has to be known. */
export function isPlainNote(note: string): boolean {
  if (note.length > LONGEST || DAY_OR_AMOUNT.test(note)) return false
  const words = note
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}/-]+/u)
    .filter(word => /[\p{L}\p{N}]/u.test(word))
  const isKnown = (word: string): boolean =>
    PURPOSES.has(word) || BESIDE.has(word) || isMonth(word) || REFERENCE.test(word)
  return words.some(word => PURPOSES.has(word)) && words.every(isKnown)
}
