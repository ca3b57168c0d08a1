import type {AuthAnswer} from '../decide.ts'

export type {AuthAnswer}

/** The answer that approves a call. */
export const approve = (): AuthAnswer => ({transactionData: {authResponseCode: {code: '00'}}})

/** The answer that declines a call. `code` is a response code or its name: `51`, `NOT_SUFFICIENT_FUNDS`. */
export const decline = (code = '05'): AuthAnswer => ({transactionData: {authResponseCode: {code}}})

/** The answer that approves a part, for a call whose `partialApprovalCapable` is true. */
export const approvePart = (amount: number, currency: string): AuthAnswer => ({
  transactionData: {authResponseCode: {code: '10'}, partialApprovalAmount: {amount, currency}},
})
