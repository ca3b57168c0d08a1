import type {TestSandbox} from '../helpers/sandbox.ts'

/** Authorises on card 3004, a debit card with EUR 2,500.00, unless told otherwise. */
export const authorise = async (sandbox: TestSandbox, more: object = {}) =>
  (
    await sandbox.op('sandbox.authorisations.create', {
      body: {cardId: '3004', amount: 12.5, currency: 'EUR', ...more},
    })
  ).body
export const code = async (...args: Parameters<typeof authorise>) => (await authorise(...args)).responseCode
export const clear = (sandbox: TestSandbox, id: string, body: object = {}) =>
  sandbox.op('sandbox.authorisations.clear', {path: {id}, body})
export const reverse = (sandbox: TestSandbox, id: string, body: object = {}) =>
  sandbox.op('sandbox.authorisations.reverse', {path: {id}, body})
export const show = async (sandbox: TestSandbox, id: string) =>
  (await sandbox.op('sandbox.authorisations.get', {path: {id}})).body
export const set = (sandbox: TestSandbox, kind: 'card' | 'account', id: string, body: object) =>
  sandbox.op('sandbox.state.set', {path: {kind, id}, body})
export const euros = async (sandbox: TestSandbox, id = '2002') => {
  const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id}})
  return (body.balances as {booked: number; held: number; available: number}[])[0]
}
