import {spellingsOf} from '../../../cli/sheet/spellings.ts'

type Side = 'fromAccountId' | 'toAccountId'

/** Who pays and who is paid, in the languages of the columns. Alone, such a word may also stand over names. */
export const PARTIES: Readonly<Record<Side, string>> = {
  fromAccountId:
    'sender, payer, payor, transferor, debtor, dbtr, remitter, originator, orderer, ordering party, ordering customer, Auftraggeber, Absender, Überweisender, Zahler, Zahlender, Zahlungspflichtiger, Schuldner, avsändare, uppdragsgivare, betalare, gäldenär, lähettäjä, maksaja, toimeksiantaja, velallinen, émetteur, débiteur, payeur, expéditeur, donneur d’ordre, ordenante, emisor, origen, deudor, pagador, remitente, afsender, betaler, indbetaler, ordregiver, avsender, oppdragsgiver',
  toAccountId:
    'recipient, receiver, beneficiary, payee, transferee, remittee, creditor, cdtr, Empfänger, Begünstigter, Begünstigte, Zahlungsempfänger, Gläubiger, mottagare, betalningsmottagare, förmånstagare, borgenär, saaja, maksunsaaja, vastaanottaja, edunsaaja, velkoja, bénéficiaire, destinataire, créancier, créditeur, beneficiario, destinatario, destino, receptor, acreedor, modtager, betalingsmodtager, beløbsmodtager, mottaker, betalingsmottaker, begunstiget',
}

/**
 * Words of bookkeeping for who owes and who is owed: beside each other, who pays and who is paid. Alone, they stand over
 * numbers of customers and suppliers.
 */
const LEDGERS: Readonly<Record<Side, RegExp>> = {
  fromAccountId: /^debit?or(?:en)?(?:kont[oe]n?|kto)?(?:nummer|nr|no)?$/,
  toAccountId: /^[kc]redit?or(?:en)?(?:kont[oe]n?|kto)?(?:nummer|nr|no)?$/,
}

/** Which party of bookkeeping a heading names: `Debitor`, `Kreditoren-Konto`. */
export function ledgerSide(title: string): Side | undefined {
  const word = wordsOf(title).join('')
  return SIDES.find(side => LEDGERS[side].test(word))
}

/** What else is said of an account that money leaves, or that it goes to. */
const DIRECTIONS: Readonly<Record<Side, string>> = {
  fromAccountId:
    'from, pay from, paid from, debit, debited, debit from, to debit, to be debited, source, origin, originating, ordering, paying, sending, funding, von, vom, ab, Belastung, Belastungs, belastet, belastetes, zu belasten, zu belastendes, Last, Quell, Herkunfts, Abbuchungs, Abgangs, Ausgangs, från, uttags, betala från, debiterings, att debitera, belastnings, tililtä, lähtö, lähde, lähettävä, maksu, veloitus, veloitettava, depuis, débit, débité, à débiter, départ, origine, source, origen, débito, debitada, a debitar, cargo, adeudo, salida, ordenante, emisora, pagadora, remitente, fra, betal fra, hæve, belast, belastes',
  toAccountId:
    'to, pay to, paid to, credit, credited, credit to, to credit, to be credited, destination, target, receiving, an, auf, nach, zu, Gutschrift, Gutschrifts, gutzuschreibendes, begünstigtes, Ziel, Eingangs, till, insättnings, betala till, krediterings, att kreditera, mål, tilille, kohde, vastaanottava, hyvitys, hyvitettävä, tulo, saaja, vers, crédit, crédité, à créditer, arrivée, destination, destino, crédito, acreditada, a acreditar, abono, ingreso, beneficiaria, destinataria, receptora, til, betal til, indsætnings, innskudds, krediteres',
}

const ACCOUNTS =
  'account, accounts, acct, acc, konto, konton, kto, tili, tilinumero, tilinro, compte, cuenta, cta, kontonummer, kontonr, kontonro, ktonr, cpte'

/** Words beside them that change nothing. */
const BESIDE =
  'of, the, s, no, nr, n, num, number, nummer, numero, id, bank, der, des, dem, den, das, die, de, du, la, le, les, l, d, del, el, los, bancaria, bancaire'

/** Words without case, marks and signs: `nº` is `no`, and `debtorAccount` has two. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\ba\/c\b/gi, 'account')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll('ß', 'ss')
    .replaceAll(/[æÆ]/g, 'ae')
    .replaceAll(/[øØ]/g, 'o')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')

const beside = new Set(wordsOf(BESIDE))
const accounts = new Set(wordsOf(ACCOUNTS))
const keyOf = (words: readonly string[]): string => words.filter(word => !beside.has(word)).join('')

const SIDES = ['fromAccountId', 'toAccountId'] as const
const sides = new Map<string, Side>(
  SIDES.flatMap(side =>
    `${PARTIES[side]}, ${DIRECTIONS[side]}`
      .split(',')
      .flatMap(spellingsOf)
      .map(phrase => [keyOf(wordsOf(phrase)), side] as const)
      .filter(([key]) => key !== ''),
  ),
)

/** `Begünstigtenkonto`, `cuentaorigen`: the account at one end of a word. */
const COMPOUND =
  /^(?:(?<before>.{2,}?)(?:bank)?(?:konto|tili|account|acct)(?:nummer|numero|number|nro|nr|no|id)?|(?:konto|compte|cuenta|account)(?<after>.{2,}))$/
const stemOf = (word: string): string | undefined => {
  const {before, after} = COMPOUND.exec(word)?.groups ?? {}
  return before ?? after
}

/** As it is, and without what a genitive or a compound adds: `mottagarens`, `saajan`, `avsändarkonto`. */
const stemsOf = (key: string): readonly string[] => [key, key.replace(/(?:ns|s|n)$/, ''), `${key}e`]

/** Whose account a heading names: `Konto des Empfängers`, `Payer's a/c no.`, `Mottagarkonto`. */
export function accountSide(title: string): Side | undefined {
  const words = wordsOf(title)
  const isAccount = (word: string): boolean => accounts.has(word)
  const named = words.filter(isAccount).length
  const rest = words.flatMap(word => {
    if (isAccount(word)) return []
    const stem = named === 0 ? stemOf(word) : undefined
    return stem === undefined ? [word] : (stemsOf(stem).find(one => sides.has(one)) ?? [word])
  })
  const isCompound =
    named === 0 && rest.length === words.length && rest.some((word, at) => word !== words[at])
  if (named !== 1 && !isCompound) return undefined
  return stemsOf(keyOf(rest)).flatMap(stem => sides.get(stem) ?? [])[0]
}

/** Whether a heading has the word for an account: `Lönekonto`. */
export const namesAccount = (title: string): boolean =>
  wordsOf(title).some(word => accounts.has(word) || COMPOUND.test(word))

/** Whether a heading names an account without saying whose, such as `Konto-Nr.` */
export function isAccountWord(title: string): boolean {
  const words = wordsOf(title)
  return words.some(word => accounts.has(word)) && words.every(word => accounts.has(word) || beside.has(word))
}
