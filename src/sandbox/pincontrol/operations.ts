import type {Plastic} from '../cards/card.ts'
import type {Handlers} from '../handlers.ts'
import {uuid} from '../ids.ts'
import {badRequest, conflict, existing, gone} from '../problems.ts'
import {type Sealed, tokenDigest} from '../seal.ts'
import type {Stored, Transaction} from '../store/store.ts'

/** Lifetime of a control id, by the sandbox clock. */
export const CONTROL_MS = 30_000
/** How long an expired control id is stored, to tell it from an unknown one. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1000

/**
 * A control id that is valid now for this scope.
 *
 * @throws Problem 404 unknown, 400 wrong scope, 409 used, 410 expired.
 */
export async function liveControl(
  tx: Transaction,
  id: string,
  scope: PinScope,
  now: number,
): Promise<PinControl> {
  const control = existing(await tx.pinControls.get(tokenDigest(id)), 'control id')
  if (control.scope !== scope) throw badRequest('wrong-scope', `The control id is not for ${scope}.`)
  if (control.used) throw conflict('control-used', 'The control id has already been used.')
  if (now >= control.expiresAt) throw gone('control-expired', 'The control id has expired.')
  return control
}

/** PIN operations need the active plastic. @throws Problem 409 for any other. */
export function refuseInactive({status}: Plastic): void {
  if (status !== 'ACTIVE') throw conflict('plastic-not-active', 'The plastic is not active.')
}

/** Marks a control id as used, and deletes its key. */
export async function consume(tx: Transaction, control: PinControl): Promise<void> {
  await tx.pinControls.put({...control, used: true, tzpk: null})
}

/** Deletes old control ids. */
export async function forgetControls(tx: Transaction, now: number): Promise<void> {
  const upTo = {member: 'expiresAt', value: now - REMEMBERED_MS} as const
  const old = await tx.pinControls.list({upTo, limit: 50})
  await tx.pinControls.deleteAll(old.map(({id}) => id))
}

export const pincontrol: Handlers<'pincontrol'> = {
  'pincontrol.create.v2': async ({tx, now, random, service}, {path: {plasticId}, body: {scope}}) => {
    const plastic = existing(await tx.plastics.get(plasticId), 'plastic')
    refuseInactive(plastic)
    const id = uuid(random)
    await tx.pinControls.put({
      id: tokenDigest(id),
      plasticId,
      cardId: plastic.cardId,
      scope,
      expiresAt: now + CONTROL_MS,
      used: false,
      tzpk: null,
    })
    await forgetControls(tx, now)
    return {
      id,
      pinURL: `${service.baseUrl}/pages/pin`,
      pinFrameURL: `${service.baseUrl}/pages/pin-frame`,
    }
  },
}

export type PinScope = 'VIEW_PIN' | 'SET_PIN'

/** A control id, to view or set the PIN of one plastic once, within 30 seconds. `id` is its digest. */
export interface PinControl extends Stored {
  readonly plasticId: string
  readonly cardId: string
  readonly scope: PinScope
  /** Epoch milliseconds by the sandbox clock. */
  readonly expiresAt: number
  readonly used: boolean
  /** The last double-length 3DES key, in hex; deleted with the control id. */
  readonly tzpk: Sealed | null
}

/** A token that shows the data of a card on the page once. `id` is its digest; the token itself is never stored. */
export interface CardDataToken extends Stored {
  readonly cardId: string
  readonly expiresAt: number
  readonly used: boolean
}
