import type {Column} from '../../rows/sheet/find-table.ts'
import {isPlainNote} from './plain-notes.ts'
import {daysOf} from './sheet-days.ts'
import {
  DATE_HEADINGS,
  DUE_HEADINGS,
  listed,
  NO_WORDS,
  plainWord,
  RELEASED_HEADINGS,
  SETTLED_HEADINGS,
} from './sheet-words.ts'
import {inAllSpellings} from './spellings.ts'

/** Headings over what somebody remarks on a row, which may be anything. */
const REMARKS = listed(
  'note, notes, internal note, remark, remarks, comment, comments, internal comment, info, hint, instruction, instructions, decision, action, to do, todo',
  'bemerkung, bemerkungen, hinweis, hinweise, anmerkung, anmerkungen, kommentar, kommentare, notiz, notizen, vermerk, info, entscheidung, aktion',
  'anteckning, anteckningar, notering, noteringar, kommentar, kommentarer, anmärkning, åtgärd, beslut',
  'huomautus, huomautukset, huomio, huom, kommentti, kommentit, muistiinpano, lisätieto, lisätiedot, päätös',
  'remarque, remarques, commentaire, commentaires, note, notes, observation, observations, décision',
  'nota, notas, comentario, comentarios, observación, observaciones, decisión',
  'bemærkning, bemærkninger, note, noter, notat, merknad, merknader, kommentar, beslutning',
)

/** Headings over why something is changed. */
const REASONS = listed(
  'reason, reasons, reason for change, change reason, why, explanation, justification, cause',
  'grund, gründe, begründung, änderungsgrund, grund der änderung, anlass, warum, erklärung, ursache',
  'anledning, orsak, skäl, motivering, förklaring, varför',
  'syy, perustelu, perustelut, selitys, muutoksen syy, miksi',
  'raison, raisons, motif, justification, explication, cause, pourquoi, motif du changement',
  'motivo, razón, causa, justificación, explicación, por qué, motivo del cambio',
  'årsag, årsak, grund, begrundelse, begrunnelse, forklaring, hvorfor',
)

/** What people write about a row under such a heading, if they do. */
export function remarkHeading({title}: Pick<Column, 'title'>): 'remark' | 'reason' | undefined {
  const heading = plainWord(title)
  return REASONS.has(heading) ? 'reason' : REMARKS.has(heading) ? 'remark' : undefined
}

/** Headings over the state of a row. */
const STATES = inAllSpellings(
  /(?<!\p{L})(?:[\p{L}]*status|states?|[\p{L}]*zustand|stand|tila|statut|état|etat|estado|tilstand|stage|phase|workflow)$/iu,
)
/** States of which each says that a row is to be sent. */
const GOOD_STATES = listed(
  'ok, okay, yes, open, new, ready, approved, released, confirmed, active, valid, unpaid, to pay, due, final, to be paid, not paid',
  'ja, offen, neu, bereit, freigegeben, genehmigt, bestätigt, aktiv, gültig, unbezahlt, zu zahlen, fällig',
  'öppen, ny, obetald, godkänd, attesterad, att betala, bekräftad',
  'kyllä, avoin, uusi, hyväksytty, maksamatta, vahvistettu, maksetaan',
  'oui, ouvert, nouveau, à payer, approuvé, validé, impayé, confirmé',
  'sí, abierto, nuevo, aprobado, por pagar, pendiente de pago, autorizado',
  'åben, ubetalt, godkendt, åpen, godkjent, bekræftet, bekreftet',
)

const YES_WORDS = listed(
  'y, yes, true, 1, x, j, ja, wahr, k, kyllä, tosi, o, oui, vrai, s, si, sí, verdadero, sand, sann, sant',
)
/** A mark that somebody sets on a row. */
const isMark = (cell: string): boolean => plainWord(cell) === '' || YES_WORDS.has(plainWord(cell))

/**
 * Headings over what a row may well lack, and which decides nothing: names, addresses, numbers of documents. Words of
 * amounts and accounts are none of them.
 */
const HARMLESS = inAllSpellings(
  /name|namn|navn|nimi|nombre|(?<!\p{L})nom|firm|compan|företag|yritys|société|empresa|virksomhed|customer|supplier|vendor|payee|client|kund|lieferant|leverant|toimittaja|asiakas|fournisseur|proveedor|cliente|leverandør|empfänger|begünstigt|recipient|beneficiar|mottag|modtag|bénéficiaire|saaja|auftraggeber|address|adress|osoite|dirección|direccion|stra[sß]|street|gata|(?<!\p{L})city|(?<!\p{L})ort(?!\p{L})|stadt|postort|town|zip|plz|country|(?<!\p{L})land(?!\p{L})|maa(?!\p{L})|pays|país|phone|telefon|e-?mail|invoice|rechnung|faktur|lasku|factur|bill|beleg|voucher|verifikat|tosite|justificatif|order|bestell|auftrag|tilaus|pedido|ordre|commande|reference|referen[zs]|référence|viite|(?<!\p{L})ref(?!\p{L})|department|abteilung|avdelning|osasto|afdeling|cost ?cent|kosten|kst|project|projekt|proyecto|prosjekt|categor|kategor|iban|bic|swift|(?<!\p{L})bank|contract|vertrag|sopimus|avtal|(?<!\p{L})(?:vat|mwst|ust|moms|alv|tva|iva)(?!\p{L})|birth|geburt|receipt|quittung|kvitto|kuitti|(?<!\p{L})reçu|recibo|kvittering|urgent|urgence|eilig|express|priorit|brådsk|kiire|(?<!\p{L})haste?r?(?!\p{L})/iu,
)
const OF_MONEY = inAllSpellings(
  /amount|betrag|belopp|summa|määrä|montant|importe|beløb|beløp|account|konto|tili|compte|cuenta|paid|pay(?!ee)|zahl|betal|maksu|pagad|pago|block|sperr|spärr|hold|stop|status|korr|correct/iu,
)

/** Headings over numbers of rows. */
const NUMBERING = inAllSpellings(
  /^(?:(?:lfd|løpe|løbe|row|line|rad|rivi|zeilen?|satz|seq)\W*)?(?:#|nr|no|n[°º]|num|number|nummer|numero|número|id|pos|position|index|row|line|rad|rivi|zeile|ligne|fila|linje)\W*$/iu,
)

/** Whether a heading is of what decides nothing, whatever is below it. */
export const isHarmless = ({title}: Pick<Column, 'title'>): boolean =>
  !OF_MONEY.test(title) && (HARMLESS.test(title) || NUMBERING.test(title.trim()))

/** Whether a heading is over the state of a row. */
export const isStateHeading = ({title}: Pick<Column, 'title'>): boolean =>
  STATES.test(title.trim()) ||
  [SETTLED_HEADINGS, RELEASED_HEADINGS].some(words => words.has(plainWord(title)))

const OTHERS = [DUE_HEADINGS, DATE_HEADINGS, SETTLED_HEADINGS, RELEASED_HEADINGS]

/** Whether a heading is a known word for something else than a field. */
export const isOtherHeading = (column: Pick<Column, 'title'>): boolean =>
  isHarmless(column) ||
  STATES.test(column.title.trim()) ||
  OTHERS.some(words => words.has(plainWord(column.title)))

const MOST_REFERENCE = 40

/** `4711`, `INV 77`, `RE-2026-01`: what tells things apart, and says nothing of them. No amount, and no day. */
const isReference = (cell: string): boolean =>
  cell.length <= MOST_REFERENCE &&
  /^(?:[\p{Lu}]{1,3}[\s/_.-]*)?[\p{Lu}\d]*\d[\p{Lu}\d\s/_.-]*$/u.test(cell) &&
  cell.replaceAll(/\D/g, '').length > 2 &&
  !/\p{L}{4}/u.test(cell) &&
  !/[.,]\d{1,2}$/.test(cell) &&
  daysOf(cell).length === 0

/** The places in `cells` of remarks that say more than what a transfer is for, in a column whose heading is of remarks. */
export const remarksIn = ({title}: Pick<Column, 'title'>, cells: readonly string[]): readonly number[] =>
  REMARKS.has(plainWord(title))
    ? cells.flatMap((cell, place) => (cell === '' || isPlainNote(cell) ? [] : [place]))
    : []

/**
 * Whether a column that no field uses may say something of rows that decides about them, and at which ones it does. One
 * that is filled in at some rows only, or says yes here and no there, marks them; one that tells them apart does not.
 *
 * @param cells of all rows, empty ones too
 * @returns the places of the marked rows in `cells`, and what the column is
 */
export function noteOf(
  {title}: Pick<Column, 'title'>,
  cells: readonly string[],
): {readonly what: string; readonly at: readonly number[]} | undefined {
  const heading = plainWord(title)
  const at = cells.flatMap((cell, place) => (cell === '' ? [] : [place]))
  const filled = cells.filter(cell => cell !== '')
  if (at.length === 0) return undefined
  if (REMARKS.has(heading)) {
    const open = remarksIn({title}, cells)
    return open.length === 0 ? undefined : {what: 'has remarks on rows, and is not used', at: open}
  }
  if (STATES.test(title.trim())) {
    const others = at.filter(place => !GOOD_STATES.has(plainWord(cells[place] ?? '')))
    if (others.length > 0) return {what: 'has states that may say that rows are not to be sent', at: others}
  }
  const marks = 'marks some rows and not others, and is not used'
  const isDecision = filled.every(cell => isMark(cell) || NO_WORDS.has(plainWord(cell)))
  const isSome = filled.length < cells.length
  const isVaried = isSome || (filled.some(isMark) && !filled.every(isMark))
  if (isDecision) return isVaried && !isHarmless({title}) ? {what: marks, at} : undefined
  if (!isSome || DATE_HEADINGS.has(heading)) return undefined
  const isPlain =
    isHarmless({title}) ||
    (!OF_MONEY.test(title) && filled.every(cell => isReference(cell) || isPlainNote(cell)))
  return isPlain ? undefined : {what: marks, at}
}
