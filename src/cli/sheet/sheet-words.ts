import {inAllSpellings, spellingsOf} from './spellings.ts'
/** Headings and words in the languages of the columns: English, German, Swedish, Finnish, French, Spanish, Danish, Norwegian. */
export const listed = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap(list => list.split(',').flatMap(spellingsOf).map(plainWord)))

/** `Send?` is `send`. */
export function plainWord(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Headings over rows that are not to be sent where a cell says yes, or a day. */
export const SETTLED_HEADINGS = listed(
  'paid, paid on, paid at, paid date, date paid, payment made, already paid, settled, done, sent, hold, on hold, skip, ignore, exclude, excluded, delete, deleted, cancel, canceled, cancelled, cancelled on, void, voided, blocked, stop, stopped, rejected, duplicate, do not pay, do not send, draft, result, outcome, ergebnis, resultat, tulos, résultat, resultado',
  'bezahlt, bezahlt am, gezahlt, erledigt, erledigt am, gesendet, gesperrt, sperre, zahlsperre, zurückgestellt, überspringen, auslassen, gelöscht, storniert, storno, storniert am, abgelehnt, doppelt, nicht zahlen, nicht senden, entwurf',
  'betald, betalad, betalt, betald den, klar, skickad, spärrad, pausad, hoppa över, borttagen, raderad, makulerad, annullerad, avbruten, stoppad, avvisad, dubblett, utkast',
  'maksettu, maksupäivä toteutunut, valmis, lähetetty, pidossa, ohita, poistettu, peruttu, peruutettu, mitätöity, estetty, hylätty, luonnos',
  'payé, payée, payé le, réglé, envoyé, bloqué, en attente, ignorer, supprimé, annulé, annulée, rejeté, doublon, ne pas payer, brouillon',
  'pagado, pagada, pagado el, enviado, bloqueado, retenido, omitir, eliminado, borrado, anulado, anulada, cancelado, rechazado, duplicado, no pagar, borrador',
  'betalt den, sendt, spærret, sæt på hold, spring over, slettet, annulleret, afvist, kladde',
  'sperret, hopp over, kansellert, annullert, avvist, utkast',
)

/** Headings over rows that are not to be sent where a cell says no. */
export const RELEASED_HEADINGS = listed(
  'approved, approve, released, release, send, pay, execute, selected, select, included, to be paid, ok, confirmed, authorised, authorized, active, include, ready, valid',
  'freigegeben, freigabe, genehmigt, ausgewählt, auszuführen, zu zahlen, senden, zahlen, ausführen, bestätigt, aktiv, gültig',
  'godkänd, godkänt, attesterad, vald, att utföra, att betala, skicka, betala, bekräftad',
  'hyväksytty, vapautettu, lähetä, maksa, vahvistettu, aktiivinen',
  'approuvé, validé, envoyer, payer, confirmé, actif',
  'aprobado, autorizado, enviar, pagar, confirmado, activo',
  'godkendt, frigivet, send, betal, bekræftet, godkjent, frigitt, bekreftet',
)

export const NO_WORDS = listed(
  'n, no, false, f, 0, not approved, not released, pending, open, wait, never, nein, falsch, offen, nicht freigegeben, nej, falskt, ej, ei, epätosi, e, non, faux, nei, falso, usann, falsk',
)

/** Kinds of rows that are no payment. */
export const REVERSED_WORDS = listed(
  'refund, reversal, reversed, credit note, credit memo, credit, chargeback, cancellation, storno, stornierung, kredit, rückzahlung, erstattung, rückbuchung, gutschrift, rücklastschrift, lastschrift, direct debit, återbetalning, kreditnota, palautus, hyvitys, remboursement, avoir, reembolso, devolución, abono, refundering, kreditnota, tilbagebetaling, tilbakebetaling, refusjon',
)

/** Headings over numbers that amounts are to be multiplied with. */
export const FACTOR_HEADING = inAllSpellings(
  /(?<!\p{L})(?:units?|unidad|unidades|unité|unités|factor|facteur|multiplier|multiplicador|multiplikator|quantity|quantité|qty|scale|menge|anzahl|antal|antall|kpl|lukumäärä|yksikkö|exchange rate|fx rate|kurs|rate|skala)$|(?:einheit|faktor|enhet|enhed|yksikkö|kerroin|stückzahl|wechselkurs|växelkurs)$/iu,
)

/** A cell that says in which unit its amount is. */
export const UNIT = inAllSpellings(
  /^(?:[tk] ?(?:eur|€|chf|usd|gbp|sek|nok|dkk)|tkr|mkr|mio\.?|mn|tsd\.?|[x×*] ?1[.,' ]?000|'000|000s?|thousands?|millions?|hundreds?|cents?|pence|öre|øre|rappen|centimes|céntimos|senttiä|tausend|tusen|tusind|tuhat|milliers?|miles|minor(?: units?)?)$/iu,
)

/** Headings over the day on which money is to be sent. */
export const DUE_HEADINGS = listed(
  'due, due date, due on, execution date, execute on, pay on, pay date, payment date, send on, value date, transfer date, scheduled for, scheduled date, requested execution date',
  'fällig, fällig am, fälligkeit, fälligkeitsdatum, ausführungsdatum, ausführung, ausführung am, ausführungstermin, zahlungsdatum, zahltag, zahlungsziel, termin, valuta datum, wertstellung',
  'förfallodag, förfallodatum, betalningsdatum, betalningsdag, betaldatum, utförandedatum',
  'eräpäivä, maksupäivä, suorituspäivä, toteutuspäivä',
  'échéance, date d échéance, date d exécution, date de paiement, date de valeur',
  'vencimiento, fecha de vencimiento, fecha de ejecución, fecha de pago, fecha valor',
  'forfaldsdato, forfald, betalingsdato, udførelsesdato, forfallsdato, forfall, utførelsesdato',
)
export const DATE_HEADINGS = listed('date, day, datum, tag, dag, päivä, päivämäärä, pvm, jour, fecha, dato')
export const NOW_WORDS = listed(
  'now, today, asap, immediately, at once, sofort, heute, omgående, idag, heti, tänään, immédiat, aujourd hui, inmediato, hoy, straks, i dag',
)

/** A line that says the rows are not to be sent. `\xe9` is an é that nothing stands for: PAYE is a tax. */
export const NOT_FINAL = inAllSpellings(
  /(?<!\p{L})(?:draft|(?:already )?(?<!(?:be|not|be already) )paid|void(?:ed)?|replaced|superseded|obsolete|outdated|duplicate|for information|not before|earliest|on hold|hold until|stopped|do not (?:execute|pay|send|use|process)|not (?:yet )?(?:approved|released|final|for execution)|unapproved|cancelled|canceled|example only|specimen|entwurf|nicht (?:freigegeben|genehmigt|ausführen|zahlen|senden)|storniert|storno|(?<!(?:noch nicht|nicht) )bezahlt|erledigt|überholt|ersetzt|zur information|zur kenntnis|erst (?:nach|ab|am)|frühestens|nicht vor|gesperrt|duplikat|utkast|redan betald\p{L}*|(?<!(?:ej|icke|inte) )betald[at]?|makulerad|tidigast|inte före|för kännedom|maksettu|peruttu|mitätöity|aikaisintaan|tiedoksi|déjà payée?s?|pay\xe9e?s?|pas avant|au plus tôt|pour information|remplacée?|pagad[oa]s?|no antes|para información|betalt|annulleret|annullert|tidligst|til orientering|ej godkänd|makulerad|luonnos|ei hyväksytty|älä maksa|brouillon|non approuvé|ne pas (?:payer|exécuter)|annulé|borrador|no (?:aprobado|pagar|ejecutar)|anulado|kladde|ikke (?:godkendt|godkjent))(?!\p{L})/iu,
)

/** Words that banks write under and beside headings, and which change nothing of them. */
export const NEUTRAL = listed(
  'mandatory, required, optional, text, number, numeric, decimal, alphanumeric, free text',
  'pflicht, pflichtfeld, pflichtangabe, muss, kann, wahlweise, freiwillig, zahl',
  'obligatorisk, obligatoriskt, valfri, valfritt, tal, pakollinen, valinnainen, teksti, luku',
  'obligatoire, facultatif, optionnel, texte, nombre, obligatorio, opcional, texto, número, valgfri, påkrævet, påkrevd, tekst',
)

/** Headings over how a row is paid. */
export const WAY_HEADING = inAllSpellings(
  /pay(?:ment)? (?:method|type|mode|means|form)|(?:method|mode|means|form) of payment|paid (?:by|with)|zahl(?:ungs?)?(?:art|weise|mittel|methode|form)|bezahlt mit|betal(?:nings|ings)(?:sätt|måde|måte|form|metode?)|betalsätt|maksutapa|(?:mode|moyen) de paiement|(?:forma|medio|método|modo) de pago/iu,
)

/** Ways that are no transfer. */
export const OTHER_WAYS = listed(
  'cash, petty cash, card, credit card, company card, debit card, cheque, check, direct debit, paypal',
  'bar, barzahlung, bargeld, kasse, karte, kreditkarte, firmenkarte, ec karte, scheck, lastschrift, bankeinzug, sepa lastschrift',
  'kontant, kontanter, kontanten, kort, kreditkort, betalkort, autogiro, check, swish, mobilepay, vipps, avtalegiro, betalingsservice',
  'käteinen, käteisellä, kortti, luottokortti, suoraveloitus, shekki',
  'espèces, carte, carte bancaire, carte bleue, carte de crédit, chèque, prélèvement, efectivo, tarjeta, tarjeta de crédito, domiciliación, talón',
)
