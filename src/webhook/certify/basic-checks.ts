import type {BehaviourCheck} from './check.ts'
import {CATEGORIES} from './generated/fields.ts'

const PAYMENTS = [
  'contactless',
  'chip',
  'magnetic-stripe',
  'atm',
  'ecommerce',
  'wallet',
  'recurring',
] as const

/** What every endpoint does. */
export const basicChecks: readonly BehaviourCheck[] = [
  {
    name: 'POST /warm-up and POST /auth are there',
    rule: 'paths',
    run: async exam => {
      // What is held is looked at later: here it would hide a wrong path or status.
      const {verdict} = await exam.sendOnly(exam.call('contactless'))
      exam.expect('status', 'no status 404 or 405', `status ${verdict.status}`, isThere(verdict.status))
      const {status} = (await exam.warmUp()).verdict
      exam.expect('status', 'no status 404 or 405', `status ${status}`, isThere(status))
    },
  },
  {
    name: 'payments of every kind get status 200 and a decision',
    rule: 'status',
    run: async exam => {
      for (const scenario of PAYMENTS) {
        exam.expectOutcome(await exam.sendOnly(exam.call(scenario)), 'decided')
      }
    },
  },
  {
    name: 'a call that comes in several pieces gets a decision',
    rule: 'transport',
    run: async exam => {
      for (const transport of ['in chunks', 'byte by byte'] as const) {
        exam.expectOutcome(await exam.sendOnly(exam.call('contactless'), {transport}), 'decided')
      }
    },
  },
  {
    name: 'merchants of every kind get one of the codes',
    rule: 'codes',
    run: async exam => {
      for (const code of CATEGORIES) {
        const set = {'merchantData.category': {code, description: 'A kind of merchant'}}
        exam.expectOutcome(await exam.sendOnly(exam.call('ecommerce', {amount: '10 EUR', set})), 'decided')
      }
    },
  },
  {
    name: 'cards that have expired, or expire this year or much later, get one of the codes',
    rule: 'codes',
    run: async exam => {
      for (const year of [2000, 2020, new Date().getUTCFullYear(), 2099]) {
        for (const month of [1, 12]) {
          const set = {'card.expiration': {year, month}}
          exam.expectOutcome(await exam.sendOnly(exam.call('chip', {amount: '10 EUR', set})), 'decided')
        }
      }
    },
  },
  {
    name: 'a warm-up gets status 200',
    rule: 'warm-up',
    run: async exam => exam.expectOutcome(await exam.warmUp(), 'ready'),
  },
]

const isThere = (status: number | undefined): boolean => status !== 404 && status !== 405
