import {checkInput, type Violation} from '../../contract/validate.ts'
import type {Customer} from '../state/customer.ts'
import type {EnrolledCustomer} from '../state/enrolment.ts'
import type {Setter} from './set-state.ts'

/** The contract shows no customer as a request, so the shape is checked here. */
export const setCustomer: Setter = {
  members: ['firstName', 'middleName', 'lastName', 'countryCode', 'locale'],
  check: async (_, changes): Promise<readonly Violation[]> =>
    Object.entries(changes)
      .filter(([member, value]) => typeof value !== 'string' && !(member === 'middleName' && value === null))
      .map(([member]) => ({pointer: `/${member}`, message: `${member} must be string`})),
  apply: async (tx, id, changes) => {
    const customer = await tx.customers.get(id)
    if (customer) await tx.customers.put({...customer, ...(changes as Partial<Customer>)})
  },
}

export const setEnrolment: Setter = {
  members: ['active', 'emails', 'phones'],
  check: async ({id}, {active, ...overrides}): Promise<readonly Violation[]> => {
    if (active !== undefined && typeof active !== 'boolean') {
      return [{pointer: '/active', message: 'active must be boolean'}]
    }
    if (Object.keys(overrides).length === 0) return []
    const body = {customerBID: 'state', overrides}
    const input = {path: {customerId: id}, query: {auditUser: 'state'}, body}
    return checkInput('remotecheckout.updateCustomer.v1', input)
  },
  apply: async (tx, id, changes) => {
    const customer = await tx.enrolledCustomers.get(id)
    if (customer) await tx.enrolledCustomers.put({...customer, ...(changes as Partial<EnrolledCustomer>)})
  },
}
