import {daysOf} from '../../../cli/sheet/sheet-days.ts'
import {NEUTRAL, plainWord} from '../../../cli/sheet/sheet-words.ts'
import {spellingsOf} from '../../../cli/sheet/spellings.ts'
import {currenciesOf} from '../../../money/currency-signs.ts'
import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {type CellUse, cellFault} from '../../../rows/sheet/doubtful-cell.ts'
import type {Heading} from '../../../rows/sheet/find-table.ts'
import {accountSide, PARTIES} from './account-headings.ts'

export const TRANSFER_FIELDS = ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'] as const

export type TransferField = (typeof TRANSFER_FIELDS)[number]

export const NEEDED: readonly TransferField[] = ['fromAccountId', 'toAccountId', 'amount', 'currency']

/** What the fields are called in messages and flags. */
export const FIELD_NAMES: Readonly<Record<TransferField, string>> = {
  fromAccountId: 'from',
  toAccountId: 'to',
  amount: 'amount',
  currency: 'currency',
  text: 'text',
}

/** An amount is a number, and anything else is what was written. */
export const useOf = (field: TransferField): CellUse => (field === 'amount' ? 'number' : 'text')

/**
 * What spreadsheets call the columns, by field and language: English, German, Swedish, Finnish, French, Spanish, Danish
 * and Norwegian. A further language is a further line. Words are compared without case, marks, spaces and signs.
 */
const WORDS: Readonly<Record<TransferField, Readonly<Record<string, string>>>> = {
  fromAccountId: {
    en: 'from, source',
    de: 'von',
    sv: 'från',
    fi: 'mistä, tililtä, miltä tililtä',
    fr: 'de, de compte, du compte, depuis, compte donneur d’ordre, compte d’origine',
    es: 'de, desde, desde cuenta, de cuenta',
    da: 'fra, debetkonto afsender',
    no: 'fra',
  },
  toAccountId: {
    en: 'to, destination',
    de: 'an, nach',
    sv: 'till',
    fi: 'mihin, tilille, mille tilille',
    fr: 'à, vers, au compte, vers compte',
    es: 'a, hacia, para, a cuenta',
    da: 'til',
    no: 'til',
  },
  amount: {
    en: 'amount, transfer amount, payment amount, transaction amount, total amount, instructed amount, instd amt, amount to pay, payable amount, amount payable, net pay, amt',
    de: 'Betrag, Summe, Zahlbetrag, Zahlungsbetrag, Überweisungsbetrag, Buchungsbetrag, Auszahlungsbetrag, Nettolohn, Nettogehalt',
    sv: 'belopp, summa, att betala, att utbetala, utbetalningsbelopp, nettolön',
    fi: 'määrä, summa, rahamäärä, maksun määrä, maksettava, maksettava määrä, nettopalkka',
    fr: 'montant, montant TTC, somme, montant du virement, montant à payer, montant du paiement, net à payer',
    es: 'importe, monto, cantidad, suma, importe a pagar, importe del pago, importe de la transferencia',
    da: 'beløb, sum, til udbetaling, nettoløn',
    no: 'beløp, sum, å betale, til utbetaling, nettolønn',
  },
  currency: {
    en: 'currency, currency code, payment currency, transfer currency, transaction currency, ccy, curr, cur, crcy',
    de: 'Währung, Waehrung, Währg, Whrg, Whg, WKZ, Währungscode, Zahlungswährung, Auftragswährung, Devise',
    sv: 'valuta, valutakod, betalningsvaluta',
    fi: 'valuutta, valuuttakoodi, maksuvaluutta',
    fr: 'devise, monnaie, code devise, devise du virement, devise du paiement',
    es: 'moneda, divisa, código de moneda, código moneda',
    da: 'valuta, valutakode, møntsort',
    no: 'valuta, valutakode',
  },
  text: {
    en: 'text, description, message, purpose, purpose of payment, narrative, narration, payment reference, payment text, payment message, payment description, remittance information, remittance info, unstructured remittance, unstructured remittance information, ustrd, payment details, details of payment, message to recipient, message to payee, message to beneficiary, message to receiver',
    de: 'Verwendungszweck, Verwendungszweck 1, Überweisungszweck, Verw.-Zweck, VWZ, VWZ 1, Zweck, Zahlungsgrund, Beschreibung, Zahlungszweck, Überweisungstext, Mitteilung an Empfänger, Mitteilung an den Empfänger, Mitteilung Empfänger',
    sv: 'meddelande, meddelande till mottagare, meddelande till mottagaren, meddelande till betalningsmottagaren, OCR/meddelande, meddelande/OCR, beskrivning, text, betalningstext, ändamål',
    fi: 'viesti, viesti saajalle, viesti vastaanottajalle, maksun viesti, selite, kuvaus, maksun tarkoitus, saate',
    fr: 'libellé, libellé du virement, libellé de l’opération, motif, texte, motif du virement, motif du paiement, objet du virement, objet du paiement, message au bénéficiaire',
    es: 'concepto, concepto del pago, concepto de la transferencia, descripción, descripción del pago, motivo, motivo del pago, mensaje, mensaje al beneficiario, texto',
    da: 'tekst, besked, meddelelse, besked til modtager, tekst til modtager, meddelelse til modtager, posteringstekst, beskrivelse',
    no: 'tekst, melding, melding til mottaker, tekst til mottaker, beskrivelse, betalingstekst, betalingsinformasjon',
  },
}

/** Words that may also stand over something else, such as names of people: taken where the cells fit and no other column does. */
const WEAK_WORDS: Readonly<Record<Exclude<TransferField, 'currency'>, string>> = {
  ...PARTIES,
  amount: 'value, Wert, värde, arvo, valeur, valor, værdi, verdi, total, sum',
  text: 'reference, note, notes, remark, remarks, memo, comment, details, Referenz, Buchungstext, Bemerkung, Betreff, Mitteilung, Nachricht, Kommentar, Notiz, referens, rubrik, anteckning, viite, huomautus, référence, communication, objet, commentaire, remarque, referencia, observaciones, nota, reference, bemærkning, note, referanse, merknad',
}

/** `Von-Konto Nr.` is `vonkontonr`. */
const plain = (text: string): string =>
  text
    .replaceAll('ß', 'ss')
    .replaceAll(/[æÆ]/g, 'ae')
    .replaceAll(/[øØ]/g, 'o')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const HEADINGS = new Map<string, Heading>()
const words = (list: string): readonly string[] => list.split(',').flatMap(spellingsOf).map(plain)
for (const field of TRANSFER_FIELDS) {
  for (const list of [FIELD_NAMES[field], field, ...Object.values(WORDS[field])])
    for (const word of words(list)) HEADINGS.set(word, {field})
}
for (const [field, list] of Object.entries(WEAK_WORDS))
  for (const word of words(list)) if (!HEADINGS.has(word)) HEADINGS.set(word, {field, weak: true})

/** Long words for the text of a transfer, for which others are hardly mistaken. */
export const textWords: readonly string[] = [...Object.values(WORDS.text), WEAK_WORDS.text]
  .flatMap(list => list.split(','))
  .flatMap(word => (word.trim().length > 6 ? spellingsOf(word.trim()) : []))

const UNIT = '[A-Za-z]{3}|[€£¥$₹₺₩]|kr\\.?|zł|Kč|s?fr\\.?|euros?|euroa|franken|kron[eo]r'
/** `Betrag (EUR)`, `Amount in EUR`, `Belopp SEK`, `Summe €`. */
const UNIT_AFTER = new RegExp(
  `^(?<title>.+?)[\\s,:]*(?:\\b(?:in|i|en)\\s+)?[([]?\\s*(?<unit>${UNIT})\\s*[)\\]]?$`,
  'iu',
)
/** `EUR amount`. */
const UNIT_BEFORE = new RegExp(`^(?<unit>${UNIT})[\\s-]+(?<title>.+)$`, 'iu')
/** Over amounts, and hardly anything else. */
const UNIT_ALONE = /^(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|€|£|\$|Euro[as]?|Franken|Kron[oe]r|[Kk]r\.?)$/u

/** What a heading stands for, if it is a known word: `Betrag`, `To account no.`, `Beløb / Amount`, `Betrag (EUR)`. */
export function readTransferHeading(title: string): Heading | undefined {
  // A share is no amount.
  if (/[%‰]/.test(title)) return undefined
  const given = title.trim().replace(NUMBERED, '')
  if (UNIT_ALONE.test(given)) return {field: 'amount', weak: true, unit: given}
  for (const form of [UNIT_AFTER, UNIT_BEFORE]) {
    const {title: word = '', unit = ''} = form.exec(given)?.groups ?? {}
    const heading = headingOf(word)
    if (heading?.field === 'amount' && currenciesOf(unit).length > 0) return {...heading, unit}
  }
  const known = headingOf(given) ?? withRemark(given)
  if (known !== undefined) return isSigned(known, given) ? undefined : known
  const parts = given.split(/[/|]/)
  if (parts.length < 2) return undefined
  const [first, ...others] = parts.map(headingOf)
  return first !== undefined && others.every(other => other?.field === first.field) ? first : undefined
}

/** `1. From account`, as forms have it. */
const NUMBERED = /^\(?\d{1,2}[.):]\s*(?=\p{L})/u

/** `To account (required)`, and `Von Konto (From account)`. */
function withRemark(title: string): Heading | undefined {
  const {word = '', remark = ''} = /^(?<word>.+?)\s*[([](?<remark>[^()[\]]+)[)\]]$/.exec(title)?.groups ?? {}
  const known = headingOf(word)
  const isSame = known !== undefined && headingOf(remark)?.field === known.field
  return isSame || NEUTRAL.has(plainWord(remark)) ? known : undefined
}

/** `Amount (-)` and `Betrag +/-`: what goes the other way, or has a sign that the cells lack. */
const isSigned = ({field}: Heading, title: string): boolean =>
  field === 'amount' && /[-−–±]\s*[)\]]?$|[-−–+]\s*\/\s*[-−–+]/u.test(title)

function headingOf(title: string): Heading | undefined {
  const known = HEADINGS.get(plain(title))
  if (known !== undefined) return known
  const field = accountSide(title)
  return field && {field}
}

/** A column under a word with other meanings is taken only if its cells fit. */
export function fitsHeading({field, weak}: Heading, cells: readonly Cell[]): boolean {
  if (field === 'currency') {
    // `Valuta` may be a day.
    const texts = cells.map(cell => String(cell).trim()).filter(text => text !== '')
    return texts.length === 0 || texts.some(text => !/^\d{1,4}[-./]\d{1,2}[-./]/.test(text))
  }
  // `From` and `To` may be of a time.
  const texts = cells.map(cell => String(cell).trim()).filter(text => text !== '')
  const isOfAccount = field === 'fromAccountId' || field === 'toAccountId'
  if (isOfAccount && texts.length > 0 && texts.every(text => /\D/.test(text) && daysOf(text).length > 0))
    return false
  if (!weak || field === 'text') return true
  // A cell with an error fits, and is told by its line.
  const filled = cells.filter(cell => String(cell).trim() !== '' && cellFault(cell, 'any') === undefined)
  return filled.length > 0 && filled.every(cell => /^\s*[\d\s.,'’-]+\s*$/.test(String(cell)))
}
