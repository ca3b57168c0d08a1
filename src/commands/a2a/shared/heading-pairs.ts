import {NEUTRAL, plainWord} from '../../../cli/sheet/sheet-words.ts'
import {inAllSpellings} from '../../../cli/sheet/spellings.ts'
import type {Heading, PairedHeading} from '../../../rows/sheet/find-table.ts'
import {isAccountWord} from './account-headings.ts'
import {readTransferHeading} from './transfer-headings.ts'

/** What is said of who pays and who is paid, beside the account. */
const OF_PARTIES = inAllSpellings(
  /name|namn|navn|nimi|nom(?!\p{L})|nombre|bank|banque|banco|pankki|bic|swift|address|adress|osoite|direcci|country|land|maa|pays|pa[ií]s|city|stadt|ort|stad|ville|ciudad/iu,
)

const isParty = ({field}: Heading): boolean => field === 'fromAccountId' || field === 'toAccountId'

/** What two headings name together: `Empfänger` over `Konto`, `Montant` over `Devise`, `Amount` over `EUR`. */
export function readHeadingPair(above: string, below: string, isSpread: boolean): PairedHeading {
  const upper = readTransferHeading(above)
  if (below === '')
    return isSpread
      ? {title: '', heading: undefined, isKnown: true}
      : {title: above, heading: upper, isKnown: true}
  const lower = readTransferHeading(below)
  const own = {title: below, heading: lower, isKnown: lower !== undefined}
  if (above === '') return own
  const title = `${above} ${below}`
  const nothing = (isKnown: boolean): PairedHeading => ({title, heading: undefined, isKnown})
  const as = (heading: Heading): PairedHeading => ({title, heading, isKnown: true})
  if (NEUTRAL.has(plainWord(below)) && !isSpread) return {title: above, heading: upper, isKnown: true}
  const both = readTransferHeading(title) ?? readTransferHeading(`${below} ${above}`)
  if (upper !== undefined && isParty(upper)) {
    if (isAccountWord(below)) return as({field: upper.field})
    if (both !== undefined) return as(both)
    if (lower?.field === upper.field) return as(lower)
    if (lower !== undefined && isSpread) return own
    return nothing(OF_PARTIES.test(below))
  }
  if (both !== undefined) return as(both)
  if (lower === undefined) return nothing(false)
  const isPart = upper === undefined || upper.field === lower.field || upper.field === 'amount'
  return isSpread ? own : isPart ? as(lower) : nothing(false)
}
