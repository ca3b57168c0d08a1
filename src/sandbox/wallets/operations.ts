import {createECDH} from 'node:crypto'
import {instant} from '../clock.ts'
import type {Call, Handlers} from '../handlers.ts'
import {conflict, existing} from '../problems.ts'

/** Part of every payload. */
const NOTICE = 'Test data of a sandbox: not valid in any wallet'

/** Base64 of JSON, marked as a test. */
export function testPayload({now}: Call, members: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify({sandbox: true, notice: NOTICE, createdAt: instant(now), ...members})
  return Buffer.from(text, 'utf8').toString('base64')
}

/** The same mark, followed by random bytes in place of a ciphertext. */
export function testCiphertext({random}: Call): string {
  return Buffer.concat([Buffer.from(`${NOTICE}\n`, 'ascii'), random(64)]).toString('base64')
}

/** A P-256 public key, uncompressed (SEC 1, 2.3.3). Its private key is discarded. */
export function ephemeralPublicKey({random}: Call, encoding: 'base64' | 'hex'): string {
  const curve = createECDH('prime256v1')
  const scalar = random(32)
  // Keeps it below the order of the curve.
  scalar[0] = 0x01
  curve.setPrivateKey(scalar)
  return curve.getPublicKey(encoding, 'uncompressed')
}

/** The wallet vendor's own test cards. */
const VENDOR_TEST_CARD = /^-[1-6]$/

/**
 * Checks the card. @throws Problem 404; 409 unless it is CARD_OK.
 * @returns the first digit of its number, which shows the card network.
 */
async function provisionable({tx, sealer}: Call, cardId: string): Promise<string> {
  if (VENDOR_TEST_CARD.test(cardId)) return '4'
  const card = existing(await tx.cards.get(cardId.replace(/^0+(?=\d)/, '')), 'card')
  if (card.status !== 'CARD_OK')
    throw conflict('card-not-ok', 'Only a card with status CARD_OK can be provisioned.')
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
