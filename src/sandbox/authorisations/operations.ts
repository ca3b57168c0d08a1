import {amountOf} from '../amounts.ts'
import {instant} from '../clock.ts'
import type {Handlers} from '../handlers.ts'
import type {Transaction} from '../store/store.ts'
import type {Authorisation, Clearing, StoredAmount} from './authorisation.ts'
import {authorise} from './authorise.ts'
import {clear, clearAlone} from './clear.ts'
import {directionOf} from './purchase.ts'
import {authorisationOf, reverse} from './reverse.ts'

const shown = ({minor, currency}: StoredAmount) => ({amount: amountOf(BigInt(minor), currency), currency})

/** An authorisation with its hold, reversals and clearings. */
async function authorisationView(tx: Transaction, authorisation: Authorisation, withCall = true) {
  const {
    amount,
    approved,
    available,
    billed: _,
    isIncrement: __,
    purchase: ___,
    mark: ____,
    asking: _____,
    webhookCall = null,
    ...same
  } = authorisation
  const holds = approved !== null && directionOf(authorisation) === 'out'
  const hold = holds ? await tx.holds.get(authorisation.transactionId) : undefined
  const clearings = await tx.clearings.list({where: {authorisationId: authorisation.id}})
  return {
    ...same,
    ...shown(amount),
    approvedAmount: approved && shown(approved),
    clearedAmount: cleared(clearings, amount.currency),
    hold: hold === undefined ? null : shown(hold),
    holdStatus: hold === undefined ? null : hold.status,
    holdUntil: hold?.until == null ? null : instant(hold.until),
    availableAmount: shown(available),
    createdAt: instant(authorisation.createdAt),
    reversals: authorisation.reversals.map(({at, given, clientAnswer = null}) => ({
      at: instant(at),
      ...shown(given),
      clientAnswer,
    })),
    clearings: clearings.map(clearingView),
    webhookCall: withCall ? webhookCall : null,
  }
}

function clearingView({amount, posted, available, createdAt, ...same}: Clearing) {
  return {
    ...same,
    ...shown(amount),
    postedAmount: posted ? shown(posted) : null,
    availableAmount: shown(available),
    createdAt: instant(createdAt),
  }
}

function cleared(clearings: readonly Clearing[], currency: string) {
  const posted = clearings.filter(({status}) => status === 'POSTED')
  if (posted.length === 0) return null
  const minor = posted.reduce((sum, {amount}) => sum + BigInt(amount.minor), 0n)
  return shown({minor: String(minor), currency})
}

type Ids = 'list' | 'get' | 'create' | 'reverse' | 'clear'

export const authorisations: Pick<
  Handlers<'sandbox'>,
  `sandbox.authorisations.${Ids}` | 'sandbox.clearings.create'
> = {
  'sandbox.authorisations.list': async ({tx}, {query: {cardId}}) => {
    const found = await tx.authorisations.list({order: 'newest', ...(cardId && {where: {cardId}})})
    return Promise.all(found.map(one => authorisationView(tx, one, false)))
  },
  'sandbox.authorisations.get': async ({tx}, {path}) =>
    authorisationView(tx, await authorisationOf(tx, path.id)),

  'sandbox.authorisations.create': {
    across: async (call, {body}) => {
      const done = await authorise(call, body)
      return call.store.read(tx => authorisationView(tx, done))
    },
  },
  'sandbox.authorisations.reverse': {
    across: async (call, {path, body}) => {
      const done = await reverse(call, path.id, body?.replacementAmount)
      return call.store.read(tx => authorisationView(tx, done))
    },
  },
  'sandbox.authorisations.clear': async (call, {path, body}) =>
    clearingView(await clear(call, path.id, body ?? {})),
  'sandbox.clearings.create': async (call, {body}) => clearingView(await clearAlone(call, body)),
}
