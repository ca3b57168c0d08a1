import {createECDH} from 'node:crypto'
import type {Call} from '../call.ts'
import {instant} from '../clock.ts'

/** Stands in everything a wallet would have to take for real. */
const NOTICE = 'Test data of a sandbox: no wallet takes it'

/** Base64 of JSON, well-formed and plainly marked as a test. */
export function testPayload({now}: Call, members: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify({sandbox: true, notice: NOTICE, createdAt: instant(now), ...members})
  return Buffer.from(text, 'utf8').toString('base64')
}

/** Random bytes behind the same mark, where a real service puts a ciphertext. */
export function testCiphertext({random}: Call): string {
  return Buffer.concat([Buffer.from(`${NOTICE}\n`, 'ascii'), random(64)]).toString('base64')
}

/** A P-256 public key, uncompressed (SEC 1, 2.3.3); nobody keeps its private half. */
export function ephemeralPublicKey({random}: Call, encoding: 'base64' | 'hex'): string {
  const curve = createECDH('prime256v1')
  const scalar = random(32)
  // Below the curve's order, whatever was drawn.
  scalar[0] = 0x01
  curve.setPrivateKey(scalar)
  return curve.getPublicKey(encoding, 'uncompressed')
}
