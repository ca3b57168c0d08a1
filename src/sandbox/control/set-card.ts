import {checkReplyStrict, type Violation} from '../../contract/validate.ts'
import type {Card, Plastic} from '../state/card.ts'
import type {Changes, Setter} from './set-state.ts'

/** Objects are merged one level deep, so that one region can be blocked and the others stay. */
function merged<Row extends object>(row: Row, changes: Changes): Row {
  const next = {...row} as Record<string, unknown>
  for (const [member, value] of Object.entries(changes)) {
    const before = next[member]
    next[member] = isObject(before) && isObject(value) ? {...before, ...value} : value
  }
  return next as Row
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const setCard: Setter = {
  members: [
    'status',
    'reason',
    'expiration',
    'usageLimits',
    'regionAndEcommBlocking',
    'pinStatus',
    'pinAttempts',
    'embossing',
    'cardAddress',
    'pinAddress',
    'cardDeliveryType',
    'pinDeliveryType',
    'segment',
    'scheduledClosing',
    'digitalLayoutCode',
    'additionalValues',
    'template',
    'productCode',
    'cardRole',
  ],
  // The card must still be one that a reply of the contract can hold.
  check: (before, changes) => checkReplyStrict('cards.get.v4', 200, merged(before, changes)),
  apply: async (tx, id, changes, now) => {
    const card = await tx.cards.get(id)
    if (card === undefined) return
    const statusDate = 'status' in changes && changes.status !== card.status ? now : card.statusDate
    await tx.cards.put({...merged<Card>(card, changes), statusDate})
  },
}

export const setPlastic: Setter = {
  members: ['status', 'sequenceNumber', 'expiration', 'productionType', 'embossing'],
  check: async (before, changes): Promise<readonly Violation[]> => {
    const violations = await checkReplyStrict('cards.plastics.v3', 200, [merged(before, changes)])
    return violations.map(one => ({...one, pointer: one.pointer.replace(/^\/0/, '')}))
  },
  apply: async (tx, id, changes) => {
    const plastic = await tx.plastics.get(id)
    if (plastic) await tx.plastics.put(merged<Plastic>(plastic, changes))
  },
}
