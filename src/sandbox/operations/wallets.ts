import type {Call} from '../call.ts'
import {conflict, notFound} from '../problems.ts'
import {ephemeralPublicKey, testCiphertext, testPayload} from '../wallets/payloads.ts'
import type {Handlers} from './handler.ts'

/** The wallet vendor's own test cards. */
const VENDOR_TEST_CARD = /^-[1-6]$/

/**
 * The card that is to be provisioned. @throws Problem 404; 409 unless it is CARD_OK.
 * @returns the first digit of its number, which tells the card network.
 */
async function provisionable({tx, sealer}: Call, cardId: string): Promise<string> {
  if (VENDOR_TEST_CARD.test(cardId)) return '4'
  const card = await tx.cards.get(cardId.replace(/^0+(?=\d)/, ''))
  if (card === undefined) throw notFound('card')
  if (card.status !== 'CARD_OK')
    throw conflict('card-not-ok', 'Only a card that is CARD_OK can be provisioned.')
  return (await sealer()).open(card.number).open().charAt(0)
}

export const wallets: Handlers<'wallets'> = {
  'wallets.provisionA.v1': async (call, {path: {cardId}, body}) => {
    const network = await provisionable(call, cardId)
    return {
      activationData: testPayload(call, {cardId, nonce: body.nonce}),
      encryptedPassData: testCiphertext(call),
      ephemeralPublicKey: ephemeralPublicKey(call, network === '4' ? 'hex' : 'base64'),
    }
  },

  'wallets.provisionB.v1': async (call, {path: {cardId}, body}) => {
    await provisionable(call, cardId)
    const {clientDeviceID, clientWalletAccountID, opaquePaymentCardRequested, serverSessionId} = body
    const digitizationData = testPayload(call, {cardId, clientDeviceID, clientWalletAccountID})
    if (!opaquePaymentCardRequested) return {digitizationData}
    return {digitizationData, opaquePaymentCard: testPayload(call, {cardId, serverSessionId})}
  },

  'wallets.provisionC.v1': async (call, {path: {cardId}, body}) => {
    await provisionable(call, cardId)
    const {clientDeviceID, clientWalletAccountID} = body
    return {digitizationData: testPayload(call, {cardId, clientDeviceID, clientWalletAccountID})}
  },

  'wallets.provisionIssuer.v1': async (call, {path: {cardId, walletProvider}}) => {
    await provisionable(call, cardId)
    return {digitizationData: testPayload(call, {cardId, walletProvider})}
  },
}
