import {amount, count} from '../../../money/amount.ts'
import {type DetailRow, detail, type Lines} from '../../../output/detail.ts'
import {fieldAt, joined, listAt, numberAt, textAt, textsAt} from '../../../output/fields.ts'
import {state, stateMark} from '../../../output/state.ts'
import {dim, type Span, type Styled, strong, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {styledWidth} from '../../../output/text-layout.ts'
import {glyphsOf, type ListView, type View, type ViewContext} from '../../../output/view.ts'
import {dateTime} from '../../../output/when.ts'
import {wholeValuesView} from '../../../output/whole-values.ts'
import type {KnownAccount} from '../../accounts/shared/blocked-account.ts'

/** From this count on, the service means "no limit". */
const NO_COUNT = 9_999_999

/**
 * Usage limits, one line per period: "DAILY  ATM 500  RETAIL 2,000", or one line per use if that is too long. An amount
 * of 0 means no limit and is shown in words, because a reader would take it for the opposite.
 */
function usageLimits(response: unknown, context: ViewContext): Lines {
  // To a screen reader, a line without its period says nothing.
  const width = context.accessible === true ? Number.POSITIVE_INFINITY : context.width - LABELS
  const periods = listAt(response, 'usageLimits')
  const longest = Math.max(0, ...periods.map(period => textAt(period, 'code').length))
  const lines = periods.flatMap((period): Styled[] => {
    const code = strong(textAt(period, 'code').padEnd(longest))
    const uses = listAt(period, 'values').map(useOf)
    const line: Styled = [code, ...uses.flatMap(use => ['  ', ...use])]
    if (styledWidth(line) <= width) return [line]
    return uses.map((use, at): Styled => [at === 0 ? code : ' '.repeat(longest), '  ', ...use])
  })
  return {
    lines: lines.length === 0 ? [] : [...lines, [dim('Its account has limits too; the lower one applies.')]],
  }
}

function useOf(use: unknown): readonly (string | Span)[] {
  const [sum, single] = [numberAt(use, 'sumAmount'), numberAt(use, 'singleAmount')]
  const [uses, left, usesLeft] = [
    numberAt(use, 'count'),
    numberAt(use, 'availableAmount'),
    numberAt(use, 'availableCount'),
  ]
  const parts: (string | Span)[] = [`${textAt(use, 'code')} `, limit(sum ?? single)]
  if (sum !== undefined && single !== undefined)
    parts.push(...(single > 0 ? [`, at most ${amount(single)} at once`] : []))
  if (uses !== undefined && uses < NO_COUNT) parts.push(`, ${count(uses)} times`)
  const rest = joined(
    [
      left !== undefined && sum !== undefined && sum > 0 ? amount(left) : '',
      usesLeft !== undefined && uses !== undefined && uses < NO_COUNT ? `${count(usesLeft)} times` : '',
    ],
    ', ',
  )
  if (rest !== '') parts.push(dim(` (left ${rest})`))
  return parts
}

const limit = (value: number | undefined): string | Span =>
  value === undefined ? 'no amount' : value === 0 ? warn('no limit') : amount(value)

const regions = [
  'home',
  'europe',
  'africa',
  'asia',
  'oceania',
  'northAmerica',
  'southAmerica',
  'ecomm',
] as const
const names: Readonly<Partial<Record<string, string>>> = {
  northAmerica: 'north america',
  southAmerica: 'south america',
  ecomm: 'e-commerce',
}

/**
 * Where the card works and where it is blocked: "home europe · blocked: africa asia". In the data, true means blocked.
 */
function regionBlocks(response: unknown, separator: string): Styled {
  const flags = textsAt(
    response,
    regions.map(region => `regionAndEcommBlocking.${region}`),
  )
  const where = (flag: string) =>
    regions.filter((_, at) => flags[at] === flag).map(region => names[region] ?? region)
  const [open, blocked] = [where('false'), where('true')]
  const parts: (string | Span)[] = open.length > 0 ? [open.join(', ')] : []
  if (blocked.length > 0) {
    if (parts.length > 0) parts.push(` ${separator} `)
    parts.push(warn('blocked:'), ` ${blocked.join(', ')}`)
  }
  return parts
}

const hasAddress = (card: unknown): boolean =>
  addressLine(card, 'cardAddress', '') !== '' || addressLine(card, 'pinAddress', '') !== ''

/** One card, v4 or v3, with what is known about its account. */
export const cardOnAccount =
  (account: KnownAccount = {}): View =>
  (card, context) =>
    detail(
      {
        title: joined(['Card', textAt(card, 'id')]),
        status: cardStatus(card, account, context),
        rows: [
          // Of the status, with which the line above ends.
          ['Since', dateTime(fieldAt(card, 'statusDate'), context)],
          ['Reason', textAt(card, 'reason')],
          ['Number', numberLine(card, context)],
          ['Holder', holderOf(card)],
          ['Customer', customerAndAccount(card, account, context)],
          ['Reference', textAt(card, 'referenceNumber')],
          ['Product', joined([textAt(card, 'productCode'), templateOf(card), textAt(card, 'segment')], ', ')],
          ['PIN', pinLine(card)],
          ['Limits', usageLimits(card, context)],
          ['Regions', regionBlocks(card, glyphsOf(context).separator)],
          ['Card goes to', addressLine(card, 'cardAddress', 'cardDeliveryType')],
          ['PIN goes to', addressLine(card, 'pinAddress', 'pinDeliveryType')],
          ['', hasAddress(card) ? [dim("Changing the account's address doesn't change these.")] : ''],
          [
            'Closing',
            joined(
              [
                dateTime(fieldAt(card, 'scheduledClosing.time'), context),
                textAt(card, 'scheduledClosing.type'),
              ],
              ', ',
            ),
          ],
          ['Layout', textAt(card, 'digitalLayoutCode')],
          ...additionalValues(card),
        ],
      },
      context,
    )

/** One card, v4 or v3. */
export const cardView: View = cardOnAccount({})

/**
 * Cards of a customer or an account, v4 or v3. The customer is shown once if all cards have the same.
 *
 * @param accountOf what this machine knows of a card's account.
 */
export const cardsOnAccounts =
  (accountOf: (card: unknown) => KnownAccount): ListView =>
  (cards, context) => {
    const customers = new Set(cards.map(card => textAt(card, 'customerId')))
    return table('card', cardColumns(context, customers.size > 1, accountOf), cards, context, 'No cards.')
  }

/** Cards of whose accounts nothing is known. */
export const cardListView: ListView = cardsOnAccounts(() => ({}))

const cardColumns = (
  context: ViewContext,
  withCustomer: boolean,
  accountOf: (card: unknown) => KnownAccount,
): readonly Column<unknown>[] => [
  {title: 'Id', value: 'id', fit: 'keep'},
  {title: 'Status', value: card => state(fieldAt(card, 'status')), fit: 'wrap', least: 12},
  {title: 'Number', value: card => maskedNumber(card, context), fit: 'keep'},
  {title: 'Role', value: roleOf},
  {title: 'Holder', value: holderOf},
  ...(withCustomer ? [{title: 'Customer', value: 'customerId', fit: 'keep' as const}] : []),
  {title: 'Account', value: card => accountWithType(card, accountOf(card)), fit: 'keep'},
]

const accountWithType = (card: unknown, {type: known}: KnownAccount): string => {
  const id = textAt(card, 'accountId')
  return id === '' || known === undefined ? id : `${id} (${known.type})`
}

const dates = {fit: 'wrap', least: 10, optional: true} as const

/** The plastics of a card. */
export const plasticsView: ListView = (plastics, context) =>
  table(
    'plastic',
    [
      {title: 'Id', value: 'id', fit: 'keep'},
      {title: 'No', value: 'sequenceNumber', align: 'right', fit: 'keep'},
      {title: 'Status', value: plastic => state(fieldAt(plastic, 'status')), fit: 'keep'},
      {title: 'Expires', value: plastic => expiryOf(plastic), fit: 'keep'},
      {title: 'Holder', value: plastic => holderOf(plastic), optional: true},
      {
        title: 'Created',
        value: plastic => dateTime(fieldAt(plastic, 'createdDate'), context),
        ...dates,
      },
      {
        title: 'Produced',
        value: plastic => dateTime(fieldAt(plastic, 'productionDate'), context),
        ...dates,
      },
      {title: 'Production', value: 'productionType', optional: true},
    ],
    plastics,
    context,
    'No plastics.',
  )

/** Payment data of a card. The command decides whether it is masked or revealed. */
export const paymentInfoView: View = (info, context) =>
  detail(
    {
      title: joined(['Payment data of card', textAt(info, 'cardId')]),
      rows: [
        ['Card number', inFours(textAt(info, 'fullCardNumber'))],
        ['Expires', textAt(info, 'expirationDate')],
        ['CVV2', textAt(info, 'cvv2')],
      ],
    },
    context,
  )

/** Ciphertexts, printed whole. */
export const encryptedView: View = wholeValuesView('Encrypted with the key that was given')

/** The token that lets a device fetch card data itself. */
export const controlTokenView: View = wholeValuesView('Control token, lives 30 seconds')

/** Approximate width of the column of labels. */
const LABELS = 16

const templateOf = (card: unknown) => textAt(card, 'template') || textAt(card, 'cardTemplate')
const roleOf = (card: unknown) => textAt(card, 'cardRole').toLowerCase()

/**
 * The card number as masked by the service, with bullets for underscores, in groups of four. Its digits are not
 * changed.
 */
function maskedNumber(card: unknown, context: ViewContext): string {
  const masked = textAt(card, 'maskedCardNumber') || textAt(card, 'truncatedCardNumber')
  return inFours(masked.replaceAll('_', glyphsOf(context).bullet))
}

const inFours = (number: string) =>
  /^[\d•*x]{12,19}$/.test(number) ? number.replace(/(.{4})(?=.)/g, '$1 ') : number

function numberLine(card: unknown, context: ViewContext): Styled {
  const expiry = expiryOf(card)
  const physical = textAt(card, 'embossing.physical')
  const kind = physical === 'false' ? 'virtual' : ''
  const more = [expiry === '' ? '' : `exp ${expiry}`, roleOf(card), kind].filter(part => part !== '')
  return [maskedNumber(card, context), ...more.map(part => `   ${part}`)]
}

function expiryOf(value: unknown): string {
  const month = numberAt(value, 'expiration.month')
  const year = textAt(value, 'expiration.year')
  return month === undefined || year === '' ? '' : `${String(month).padStart(2, '0')}/${year}`
}

function holderOf(value: unknown): string {
  const name = joined([textAt(value, 'embossing.firstName'), textAt(value, 'embossing.lastName')])
  return joined([name, textAt(value, 'embossing.companyName')], ', ')
}

/** A card of a blocked account is declined, whatever its own status says, so it has no healthy mark. */
function cardStatus(card: unknown, {blocked}: KnownAccount, context: ViewContext): Styled {
  if (blocked?.effect !== 'done') return stateMark(fieldAt(card, 'status'), context)
  const {text} = state(fieldAt(card, 'status'))
  return stateMark({text: `${text}, account last set to ${blocked.status} from here`, style: 'warn'}, context)
}

function customerAndAccount(card: unknown, known: KnownAccount, {accessible}: ViewContext): Styled {
  const customer = textAt(card, 'customerId')
  const account = accountWithType(card, known)
  if (account === '') return customer
  return accessible === true
    ? [customer, ', ', dim('account'), ` ${account}`]
    : [customer, '   ', dim('Account'), `  ${account}`]
}

const pinStates: Readonly<Partial<Record<string, string>>> = {
  D: 'generated',
  W: 'waiting for the cardholder to set it',
  S: 'set',
}

/** After the last wrong try, the service accepts no PIN. */
function isBlocked(card: unknown): boolean {
  const [tries, max] = [numberAt(card, 'pinAttempts.counter'), numberAt(card, 'pinAttempts.max')]
  return tries !== undefined && max !== undefined && max > 0 && tries >= max
}

function pinLine(card: unknown): Styled {
  const code = textAt(card, 'pinStatus')
  const [tries, max] = [textAt(card, 'pinAttempts.counter'), textAt(card, 'pinAttempts.max')]
  // A card that has no PIN has no tries either.
  if (code === '') return ''
  if (isBlocked(card)) {
    const unblock = joined(['cardctl pin unblock', textAt(card, 'id')])
    return [warn('blocked'), `, ${tries} of ${max} wrong tries; see ${unblock}`]
  }
  const wrong = tries === '' ? '' : max === '' ? `${tries} wrong tries` : `${tries} of ${max} wrong tries`
  return joined([pinStates[code] ?? code, wrong], ', ')
}

function addressLine(card: unknown, address: string, delivery: string): string {
  const at = fieldAt(card, address)
  const lines = textsAt(at, ['address1', 'address2', 'address3', 'address4'])
  const [zip = '', city = '', ...rest] = textsAt(at, ['zipCode', 'city', 'region', 'country'])
  return joined([...lines, joined([zip, city]), ...rest, textAt(card, delivery).toLowerCase()], ', ')
}

const additionalValues = (card: unknown): readonly DetailRow[] =>
  listAt(card, 'additionalValues').map((pair): DetailRow => [textAt(pair, 'key'), textAt(pair, 'value')])
