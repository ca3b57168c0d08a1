import {type Advice, advice} from './advice.ts'
import {cardctl} from './suggested-command.ts'

const id = {value: 'ID'}

/** What services say of things whose state is final, and what can be done in place of the request. */
const FINAL: readonly (readonly [says: RegExp, advice: Advice])[] = [
  [
    /(?<!before the )\baccount (?:is|was|has been) (?:already )?closed|marked for closing/i,
    advice`An account that is closed, or marked for closing, stays so, and no request changes that. See who closed it: ${cardctl('history', 'account', id)}. A new account comes from the issuer's other systems`,
  ],
  [
    /\bin collection\b|\bstatus is final\b/i,
    advice`The status is final, and no request changes it. Other fields can still change. See who set it: ${cardctl('history', 'account', id)}`,
  ],
  [
    /\bperiod (?:has|is) expired\b|\bexpired and can no longer\b/i,
    advice`A period that has expired stays as it is. Change one that has not begun: ${cardctl('pricelists', 'period', 'patch', id, '--valid-to', {value: 'DATE'})}`,
  ],
  [
    /\b(?:control id|token) (?:has|is) (?:already )?(?:been )?used\b/i,
    advice`It works once. Ask for a new one`,
  ],
  [
    /\bcard (?:is|was|has been|has) (?:already )?(?:closed|expired|replaced|lost|stolen|cancelled|gone)\b|\bonly a card with status CARD_OK\b|\bcard .*no longer exists\b|\bplastic is not active\b/i,
    advice`No request changes that state of a card. See it, and find the customer's other cards: ${cardctl('cards', 'get', {value: 'CARD'})}`,
  ],
  [
    // A decline that gives its reason is not final, since a corrected request may pass: "declined: the amount is above the limit".
    /\b(?:wallet|token|checkout|enrolment|enrollment|transfer|batch|payment|authorisation|authorization)\b.*\b(?:is|was|has been)(?: already)? (?:cancelled|canceled|settled|deleted|declined|reversed|completed)\s*(?:[.;]|$)|\b(?:is|state is|already) final\b/i,
    advice`This state is final: the same request is refused again, however it is corrected. See what was sent: ${cardctl('requests', 'show', {value: 'last'})}`,
  ],
]

/** What to do about a refusal that no corrected request changes. Undefined for others. */
export const finalState = (message: string): Advice | undefined =>
  FINAL.find(([says]) => says.test(message))?.[1]
