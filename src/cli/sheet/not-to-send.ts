import {isPlainNote} from './plain-notes.ts'
import {inAllSpellings} from './spellings.ts'

/** Orders not to pay. No payment is for such a thing, so a text may have one anywhere. */
const ORDER = inAllSpellings(
  /(?<!\p{L})(?:(?:do not|don['’]?t|never) (?:pay|send|execute|process|transfer)|not to be (?:paid|sent)|stop payment|nicht (?:be)?zahlen|nicht (?:auszahlen|senden|ausführen|überweisen)|betala (?:ej|inte)|skicka (?:ej|inte)|(?:ej|inte) betalas|[äa]l[äa] (?:maksa|lähetä)|ei makseta|ne pas (?:payer|envoyer|exécuter|virer|régler)|no (?:pagar|enviar|ejecutar|transferir)|ikke (?:betal|send|udfør|utfør)(?:es)?|(?:betal|send) ikke)(?!\p{L})/iu,
)

/** Orders to leave what is there as it is, which files of changes have. */
const UNCHANGED = inAllSpellings(
  /(?<!\p{L})(?:(?:do not|don['’]?t|never|not to be) (?:be )?(?:changed?|touch(?:ed)?|edit(?:ed)?|modif(?:y|ied)|updated?|block(?:ed)?|closed?|deleted?|handled?)|(?:leave|keep|stays?) (?:it )?(?:as (?:it )?is|unchanged|alone)|nicht (?:mehr )?(?:(?:zu )?(?:ver|ab|um)?(?:ge)?ändern|(?:zu )?bearbeiten|anfassen|anpassen|aktualisieren|sperren|löschen|schlie[sß]en|umstellen|durchführen)|(?:so|unverändert) (?:be)?lassen|(?:får|ska) (?:ej|inte) (?:ändras|röras)|(?:ändra|rör|uppdatera|behandla|spärra|stäng|radera) (?:ej|inte)|(?:ej|inte) (?:ändras|röras)|lämnas? oförändra[dt]|[äa]l[äa] (?:muuta|muokkaa|koske|käsittele|päivitä|sulje|poista)|ei (?:saa )?(?:muuteta|muuttaa|muokata|käsitellä)|(?:jätä|pidä) ennalleen|ne (?:pas|rien) (?:modifier|changer|toucher|traiter|bloquer|clôturer|supprimer)|laisser (?:tel quel|inchangé|en l['’]état)|no (?:cambiar|modificar|tocar|procesar|tramitar|actualizar|bloquear|cerrar|eliminar)|dejar (?:como está|igual|sin cambios)|(?:må|skal) (?:ikke|ej) (?:ændres|endres|røres)|(?:ændr|endre|rør|rediger|behandl|opdater|oppdater|spærre?|sperre|luk|lukk|slett?) ikke|ikke (?:ændre?s?|endres?|røre?s?|rediger(?:e|es)?|behandles?|opdateres?|oppdateres?|spærres?|sperres?)|(?:lades|la stå|behold(?:es)?) u(?:ændre|endre)t)(?!\p{L})/iu,
)

/** How a remark begins that holds a payment back. */
const HELD = inAllSpellings(
  /^(?:(?:put |keep |set |is )?on hold|hold (?:until|till|back)|payment (?:stopped|blocked)|zurückgestellt|zahlsperre|zahlung (?:gesperrt|gestoppt)|(?:gesperrt|geparkt) (?:bis|wegen)|vilande|avvakta|pidossa|en attente|en espera|på (?:hold|vent)|(?:sat )?i bero|af?v?venter)(?!\p{L})/iu,
)

/** Remarks that somebody has not agreed yet. */
const UNAPPROVED = inAllSpellings(
  /(?<!\p{L})(?:not (?:yet )?(?:approved|released|authori[sz]ed|confirmed|signed)|(?:pending|awaiting|waiting for|subject to) (?:approval|release|authori[sz]ation|confirmation|signature|decision)|nicht (?:genehmigt|freigegeben|bestätigt|bewilligt|unterschrieben)|(?:wartet|warten) auf (?:die |den |eine )?(?:freigabe|genehmigung|bestätigung|unterschrift|antwort)|freigabe (?:fehlt|steht aus)|bitte (?:noch )?(?:nicht|warten)|(?:inte|ej) (?:ännu )?(?:godkän[dt]t?|attesterad|bekräftad)|väntar på (?:godkännande|attest|svar)|ei (?:vielä )?(?:hyväksytty|vahvistettu)|odottaa (?:hyväksyntää|vahvistusta)|(?:pas encore|non) (?:approuvée?|validée?|autorisée?|confirmée?)|no (?:aprobad|autorizad|confirmad)[oa]|pendiente de (?:aprobación|autorización)|ikke (?:endnu |enda )?(?:godkendt|godkjent|frigivet|frigitt|bekræftet|bekreftet)|(?:afventer|avventer|venter på) (?:godkendelse|godkjenning|svar))(?!\p{L})/iu,
)

/** How a remark begins that says a payment was made. */
const MADE = inAllSpellings(
  /^(?:already (?:paid|sent|settled|transferred)|(?:bereits|schon) (?:bezahlt|gezahlt|überwiesen|erledigt|beglichen)|redan (?:betal(?:d|t|ad|at)|skicka[dt])|jo (?:maksettu|lähetetty)|déjà (?:pay|régl|envoy|vir)ée?s?|ya (?:pagad|enviad|abonad)[oa]s?|allerede (?:betalt|sendt))(?!\p{L})/iu,
)

/** Participles, which are said of something that isn't paid. */
const STATE =
  '(?:cancel(?:l?ed)?|void(?:ed)?|blocked|stopped|suspended|rejected|declined|stornie?r?t?|storno|stornerad|annull?(?:ed|iert|erad|eret|ert)?|gesperrt|gestoppt|abgelehnt|spärrad|stoppad|avvisad|makulera[dt]|makuleret|peruttu|mitätöity|estetty|hyl[aä]tty|annulée?|bloquée?|suspendue?|rejetée?|(?:anulad|cancelad|bloquead|retenid|rechazad)[oa]|spærret|sperret|afvist|avvist|kansellert|slettet)'

/** Words that may also tell how something was bought: they say it alone. */
const ALONE =
  '(?:paid|done|duplicate|hold|stop|bezahlt|erledigt|doppelt|betal[dt]|klar|maksettu|payée?|pagad[oa]|dubblett|doublon|duplicad[oa])'

/** Only a day may follow. */
const AT =
  '[\\s.,:!()*]*(?:(?:am|on|le|el|den|pvm|since|until|till|bis|seit|til|depuis|desde|hasta)?\\s*[\\d./-]+)?'

const IS_STATE = inAllSpellings(new RegExp(`^${STATE}${AT}$`, 'iu'))
const IS_ALONE = new RegExp(`^${ALONE}${AT}$`, 'iu')
const ENDS_IN_STATE = inAllSpellings(
  new RegExp(`^(?<what>.+?)\\s+(?:is |was |wurde |ist |är |on |est |er )?${STATE}[.!]?$`, 'iu'),
)
const SHOUTED = /^(?:STORNO|STORNIERT|CANCELL?ED|VOID|ANNUL\p{Lu}*|MAKULERAD|PERUTTU|ANULAD[OA])(?!\p{L})/u

/** Money that goes back for what was cancelled or paid twice. */
const REFUND = inAllSpellings(
  /refund|reimburs|compensat|repay|erstatt|rückzahl|gutschrift|entschädig|återbetal|ersättning|palautus|hyvitys|korvaus|rembours|indemn|reembols|devoluci|indemniz|refunder|tilbagebetal|tilbakebetal|refusjon|(?<!\p{L})(?:credit|kredit|avoir|abono)/iu,
)

/** `Rent May (on hold)` has two parts. */
const PARTS = /\s[-–—]+\s|[:;,|()[\]!*]+|(?<!\d)\/|\/(?!\d)|\.\s|\s{2,}/u

const partsOf = (text: string): readonly string[] =>
  text.split(PARTS).flatMap(part => {
    const bare = part.trim()
    return bare === '' ? [] : [bare]
  })

/** Whether a cell says nothing but that its row is settled or is not to be sent: `Paid`, `storniert am 3.5.`, `do not pay`. */
export const isNotToSend = (cell: string): boolean =>
  [IS_STATE, IS_ALONE, HELD, UNAPPROVED, MADE, ORDER, UNCHANGED].some(words => words.test(cell))

/**
 * Whether the text of a transfer says that the transfer is not to be sent: by an order, or by a part of it that says
 * nothing else. `Cancelled subscription, refund` tells what the money is for.
 */
export function saysNotToSend(written: string): boolean {
  const text = written.normalize('NFC')
  if (ORDER.test(text.replaceAll(/\s+/g, ' '))) return true
  const parts = partsOf(text)
  if (parts.some(part => HELD.test(part))) return true
  if (REFUND.test(text)) return false
  const isSaid = (part: string): boolean =>
    MADE.test(part) || IS_STATE.test(part) || (IS_ALONE.test(part) && part === part.toUpperCase())
  const [first = ''] = parts
  return (
    parts.some(isSaid) ||
    (parts.length > 0 && parts.every(part => IS_ALONE.test(part))) ||
    SHOUTED.test(first) ||
    isPlainNote(ENDS_IN_STATE.exec(text)?.groups?.what ?? '')
  )
}
