import type {CommandCall} from '../../../cli/client/options.ts'
import type {ResourceKind} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {OperationId} from '../../../contract/types.ts'
import type {Dialect} from '../../../dialect/index.ts'
import type {Word} from '../../../errors/suggested-command.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import type {ListView, View} from '../../../output/index.ts'
import {batchItemsView} from '../../a2a/shared/batch-views.ts'
import {cardListView, cardView} from '../../cards/shared/views.ts'
import {enrolledCustomerView, traceView} from '../../remotecheckout/shared/views.ts'

/** Where the service can have something of this name, and how it is read. */
export interface ServicePlace {
  readonly kind: string
  /** A noun phrase that follows "Looked for": `a card by id`. */
  readonly what: string
  /** What a text must look like to be worth a request, where no dialect says how ids look. */
  readonly fits: RegExp
  /** The kind of id that it is looked up by. */
  readonly idOf?: ResourceKind
  /** The read. Undefined if it needs the customerBID and the profile has none. */
  readonly read: (text: string, bid: string | undefined) => CommandCall<OperationId> | undefined
  /** Whether the response has it; by default, any success has. */
  readonly has?: (response: unknown) => boolean
  readonly view: View | ListView
  /** A line about it, for a choice among several. */
  readonly about: (response: unknown, isFirstPage: boolean) => string
  readonly id?: (response: unknown) => string
  /** Command lines that show it, and what can be done next. The first one shows it. */
  readonly next: (id: string) => readonly (readonly Word[])[]
}

const NUMBER = /^\d{1,18}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NUMBER_OR_UUID = new RegExp(`${NUMBER.source}|${UUID.source}`, 'i')

/** Ids of requests, jobs, traces and batches look different. */
const REFERENCE = new RegExp(`^(?!${UUID.source.slice(1)})(?![rj]_\\w{26}$)(?=.*\\d)[\\w-]{4,40}$`, 'i')

const hasItems = (response: unknown): boolean => listAt({response}, 'response').length > 0
const cardsOf = (response: unknown, isFirstPage: boolean): string => {
  const {length} = listAt({response}, 'response')
  return `${length} ${length === 1 ? 'card' : 'cards'}${isFirstPage && length === FIRST_PAGE ? ' or more' : ''}`
}
const aboutCard = (card: unknown): string =>
  [textAt(card, 'maskedCardNumber'), textAt(card, 'status')].filter(Boolean).join(', ')
export const cardNext = (id: string): readonly (readonly Word[])[] => [
  ['cards', 'get', {value: id}],
  ['cards', 'plastics', {value: id}],
  ['history', 'card', {value: id}],
]

/** Cards of a customer or account that a terminal shows. A program gets all. */
export const FIRST_PAGE = 30

/** The rules of `find`: extend them for a new kind of thing that the service can read. */
export const SERVICE_PLACES: readonly ServicePlace[] = [
  {
    kind: 'card',
    what: 'a card by id',
    idOf: 'card',
    fits: NUMBER,
    read: id => ({operation: 'cards.get.v4', path: {id}}),
    view: cardView,
    about: aboutCard,
    next: cardNext,
  },
  {
    kind: 'card',
    what: 'a card by reference number',
    fits: REFERENCE,
    read: refNumber => ({operation: 'cards.getByReference.v4', path: {refNumber}}),
    view: cardView,
    about: aboutCard,
    id: card => textAt(card, 'id'),
    next: cardNext,
  },
  {
    kind: 'customer',
    what: 'cards of a customer',
    idOf: 'customer',
    fits: NUMBER,
    read: customerId => ({
      operation: 'cards.listByCustomer.v4',
      path: {customerId},
      query: {size: FIRST_PAGE},
    }),
    has: hasItems,
    view: cardListView as ListView,
    about: cardsOf,
    next: id => [
      ['cards', 'list', '--customer', {value: id}],
      ['history', 'customer', {value: id}],
    ],
  },
  {
    kind: 'account',
    what: 'cards of an account',
    idOf: 'account',
    fits: NUMBER,
    read: accountId => ({operation: 'cards.listByAccount.v4', path: {accountId}, query: {size: FIRST_PAGE}}),
    has: hasItems,
    view: cardListView as ListView,
    about: cardsOf,
    next: id => [
      ['cards', 'list', '--account', {value: id}],
      ['history', 'account', {value: id}],
    ],
  },
  {
    kind: 'batch',
    what: 'a batch',
    idOf: 'batch',
    fits: NUMBER_OR_UUID,
    read: id => ({operation: 'a2a.get.v1', path: {id}}),
    view: batchItemsView,
    about: batch => [textAt(batch, 'description'), textAt(batch, 'status')].filter(Boolean).join(', '),
    next: id => [
      ['a2a', 'get', {value: id}],
      ['a2a', 'status', {value: id}],
      ['history', 'batch', {value: id}],
    ],
  },
  {
    kind: 'trace',
    what: 'a remote checkout operation',
    fits: UUID,
    read: traceId => ({operation: 'remotecheckout.status.v1', path: {traceId}}),
    view: traceView,
    about: trace => textAt(trace, 'status'),
    next: id => [['remotecheckout', 'status', {value: id}]],
  },
  {
    kind: 'enrolment',
    what: 'an enrolled customer',
    idOf: 'customer',
    fits: NUMBER,
    read: (customerId, bid) =>
      bid === undefined
        ? undefined
        : {operation: 'remotecheckout.getCustomer.v1', path: {customerId}, body: {customerBID: bid}},
    view: enrolledCustomerView,
    about: () => 'enrolled in remote checkout',
    next: id => [
      ['remotecheckout', 'get', '--customer', {value: id}],
      ['history', 'customer', {value: id}],
    ],
  },
]

/** The places that may have a text: by how ids look at this service, and where it has such a read. */
export const placesFor = (
  text: string,
  dialect: Dialect | undefined,
  bid: string | undefined,
): readonly ServicePlace[] =>
  SERVICE_PLACES.filter(({fits, idOf, read}) => {
    const looksRight = (idOf && dialect?.isId(idOf, text)) ?? fits.test(text)
    const call = looksRight ? read(text, bid) : undefined
    return looksRight && (call === undefined || dialect?.refusal(operations[call.operation]) === undefined)
  })
