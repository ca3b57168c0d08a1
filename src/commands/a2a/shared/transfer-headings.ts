import {currenciesOf} from '../../../money/currency-signs.ts'
import type {Cell} from '../../../rows/sheet/doubtful-cell.ts'
import {type CellUse, cellFault} from '../../../rows/sheet/doubtful-cell.ts'
import type {Heading} from '../../../rows/sheet/find-table.ts'

export const TRANSFER_FIELDS = ['fromAccountId', 'toAccountId', 'amount', 'currency', 'text'] as const

export type TransferField = (typeof TRANSFER_FIELDS)[number]

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
    en: 'from, from account, from account id, account from, source, source account, debit account, debtor account, payer account, sender account, ordering account, origin account, remitter account',
    de: 'von, von konto, vom konto, konto von, Auftraggeberkonto, Konto Auftraggeber, Belastungskonto, Quellkonto, Absenderkonto, Zahlerkonto, Ausgangskonto, Konto des Auftraggebers, Konto Belastung, Kontonummer Auftraggeber',
    sv: 'från, från konto, konto från, avsändarkonto, uttagskonto, betalarkonto, debiteringskonto',
    fi: 'mistä, tililtä, miltä tililtä, lähettäjän tili, maksajan tili, lähdetili, veloitustili, lähtötili',
    fr: 'de, de compte, du compte, depuis, compte débiteur, compte à débiter, compte émetteur, compte source, compte de départ, compte donneur d’ordre, compte d’origine',
    es: 'de, desde, cuenta origen, cuenta de origen, cuenta ordenante, cuenta de cargo, cuenta cargo, desde cuenta, de cuenta, cuenta emisora',
    da: 'fra, fra konto, afsenderkonto, betalerkonto, debetkonto afsender, hævekonto',
    no: 'fra, fra konto, avsenderkonto, betalerkonto, belastningskonto',
  },
  toAccountId: {
    en: 'to, to account, to account id, account to, destination, destination account, credit account, creditor account, beneficiary account, recipient account, receiver account, payee account, target account',
    de: 'an, nach, nach konto, Konto nach, Kontonummer Empfänger, an konto, auf konto, zu konto, konto an, Zielkonto, Empfängerkonto, Konto Empfänger, Gutschriftskonto, Gutschriftkonto, Begünstigtenkonto, Konto des Empfängers, Eingangskonto',
    sv: 'till, till konto, konto till, mottagarkonto, insättningskonto, målkonto, betalningsmottagarkonto',
    fi: 'mihin, tilille, mille tilille, saajan tili, vastaanottajan tili, kohdetili, hyvitystili, tulotili',
    fr: 'à, vers, au compte, vers compte, compte créditeur, compte à créditer, compte bénéficiaire, compte destinataire, compte de destination, compte destination, compte du bénéficiaire',
    es: 'a, hacia, para, a cuenta, cuenta destino, cuenta de destino, cuenta beneficiario, cuenta beneficiaria, cuenta de abono, cuenta abono, cuenta destinatario, cuenta receptora',
    da: 'til, til konto, modtagerkonto, modtagers konto, indsætningskonto',
    no: 'til, til konto, mottakerkonto, mottakers konto, innskuddskonto',
  },
  amount: {
    en: 'amount, transfer amount, payment amount, transaction amount, total amount, amt',
    de: 'Betrag, Summe, Zahlbetrag, Zahlungsbetrag, Überweisungsbetrag, Buchungsbetrag',
    sv: 'belopp, summa',
    fi: 'määrä, summa, rahamäärä, maksun määrä, maksettava määrä',
    fr: 'montant, montant TTC, somme, montant du virement',
    es: 'importe, monto, cantidad, suma',
    da: 'beløb, sum',
    no: 'beløp, sum',
  },
  currency: {
    en: 'currency, currency code, ccy, curr, cur, crcy',
    de: 'Währung, Waehrung, Währg, Whrg, Whg, WKZ, Währungscode, Devise',
    sv: 'valuta, valutakod',
    fi: 'valuutta, valuuttakoodi',
    fr: 'devise, monnaie, code devise',
    es: 'moneda, divisa, código de moneda, código moneda',
    da: 'valuta, valutakode, møntsort',
    no: 'valuta, valutakode',
  },
  text: {
    en: 'text, description, message, purpose, narrative, payment reference, remittance information, payment details',
    de: 'Verwendungszweck, Zweck, Buchungstext, Beschreibung, Zahlungszweck, Überweisungstext',
    sv: 'meddelande, beskrivning, text, betalningstext, ändamål',
    fi: 'viesti, selite, kuvaus, maksun tarkoitus, saate',
    fr: 'libellé, motif, texte, motif du virement',
    es: 'concepto, descripción, motivo, mensaje, texto',
    da: 'tekst, besked, meddelelse, posteringstekst, beskrivelse',
    no: 'tekst, melding, beskrivelse, betalingstekst',
  },
}

/** Words that may also stand over something else, such as names of people: taken where the cells fit and no other column does. */
const WEAK_WORDS: Readonly<Record<Exclude<TransferField, 'currency'>, string>> = {
  fromAccountId:
    'sender, payer, debtor, remitter, Auftraggeber, Absender, Zahler, avsändare, betalare, lähettäjä, maksaja, émetteur, débiteur, donneur d’ordre, ordenante, emisor, origen, afsender, betaler, avsender',
  toAccountId:
    'recipient, receiver, beneficiary, payee, creditor, Empfänger, Begünstigter, Zahlungsempfänger, mottagare, betalningsmottagare, saaja, vastaanottaja, bénéficiaire, destinataire, beneficiario, destinatario, destino, modtager, mottaker',
  amount: 'value, Wert, värde, arvo, valeur, valor, værdi, verdi, total, sum',
  text: 'reference, note, notes, remark, remarks, memo, comment, details, Referenz, Bemerkung, Betreff, Mitteilung, Nachricht, Kommentar, Notiz, referens, anteckning, viite, huomautus, référence, communication, objet, commentaire, remarque, referencia, observaciones, nota, reference, bemærkning, note, referanse, merknad',
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
const words = (list: string): readonly string[] => list.split(',').map(plain)
for (const field of TRANSFER_FIELDS) {
  for (const list of [FIELD_NAMES[field], field, ...Object.values(WORDS[field])])
    for (const word of words(list)) HEADINGS.set(word, {field})
}
for (const [field, list] of Object.entries(WEAK_WORDS))
  for (const word of words(list)) if (!HEADINGS.has(word)) HEADINGS.set(word, {field, weak: true})

/** Long words for the text of a transfer, for which others are hardly mistaken. */
export const textWords: readonly string[] = [...Object.values(WORDS.text), WEAK_WORDS.text]
  .flatMap(list => list.split(','))
  .flatMap(word => (word.trim().length > 6 ? [word.trim().toLowerCase()] : []))

/** The number of an account, written after its name: `From account no.` */
const ACCOUNT_NUMBER = /(?:kontonummer|kontonr|accountnumber|accountno|number|nummer|numero|numer|nr|no|id)$/

/** What an account is called without saying whose it is. */
const ACCOUNT_WORDS = new Set(
  words(
    'account, acct, acc, a/c, konto, kto, tili, tilinumero, compte, cuenta, cta, kontonummer, numéro de compte, n° de compte, nº de compte, número de cuenta, nº de cuenta',
  ),
)

/** Whether a heading names an account without saying whose, such as `Konto-Nr.` */
export const isAccountWord = (title: string): boolean =>
  ACCOUNT_WORDS.has(plain(title)) || ACCOUNT_WORDS.has(plain(title).replace(ACCOUNT_NUMBER, ''))

/** `Betrag (EUR)`, `Amount in EUR`, `Belopp SEK`, `Summe €`. */
const WITH_UNIT =
  /^(?<title>.+?)[\s,:]*(?:\b(?:in|i|en)\s+)?[([]?\s*(?<unit>[A-Za-z]{3}|[€£¥$₹₺₩]|kr\.?|zł|Kč)\s*[)\]]?$/u

/** What a heading stands for, if it is a known word: `Betrag`, `To account no.`, `Beløb / Amount`, `Betrag (EUR)`. */
export function readTransferHeading(title: string): Heading | undefined {
  // A share is no amount.
  if (/[%‰]/.test(title)) return undefined
  const {title: word = '', unit = ''} = WITH_UNIT.exec(title.trim())?.groups ?? {}
  const heading = headingOf(word)
  if (heading?.field === 'amount' && currenciesOf(unit).length > 0) return {...heading, unit}
  const known = headingOf(title)
  if (known !== undefined) return known
  const parts = title.split(/[/|]/)
  if (parts.length < 2) return undefined
  const [first, ...others] = parts.map(headingOf)
  return first !== undefined && others.every(other => other?.field === first.field) ? first : undefined
}

function headingOf(title: string): Heading | undefined {
  const word = plain(title)
  const known = HEADINGS.get(word)
  if (known !== undefined) return known
  const account = HEADINGS.get(word.replace(ACCOUNT_NUMBER, ''))
  return account?.field === 'fromAccountId' || account?.field === 'toAccountId'
    ? {field: account.field}
    : undefined
}

/** A column under a word with other meanings is taken only if its cells fit. */
export function fitsHeading({field, weak}: Heading, cells: readonly Cell[]): boolean {
  if (field === 'currency') {
    // `Valuta` may be a day.
    const texts = cells.map(cell => String(cell).trim()).filter(text => text !== '')
    return texts.length === 0 || texts.some(text => !/^\d{1,4}[-./]\d{1,2}[-./]/.test(text))
  }
  if (!weak || field === 'text') return true
  // A cell with an error fits, and is told by its line.
  const filled = cells.filter(cell => String(cell).trim() !== '' && cellFault(cell, 'any') === undefined)
  return filled.length > 0 && filled.every(cell => /^\s*[\d\s.,'’-]+\s*$/.test(String(cell)))
}
