import {badRequest, conflict, gone, notFound} from '../problems.ts'
import {tokenDigest} from '../seal.ts'
import type {Plastic} from '../state/card.ts'
import type {PinControl, PinScope} from '../state/pin-control.ts'
import type {Transaction} from '../store/store.ts'

/** How long a control id lives, by the sandbox clock. */
export const CONTROL_MS = 30_000
/** How long a dead one is remembered, so that it is told apart from one that never was. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000

/**
 * The control id, fit for a call of this scope now.
 *
 * @throws Problem 404 unknown, 400 wrong scope, 409 used, 410 expired.
 */
export async function liveControl(
  tx: Transaction,
  id: string,
  scope: PinScope,
  now: number,
): Promise<PinControl> {
  const control = await tx.pinControls.get(tokenDigest(id))
  if (control === undefined) throw notFound('control id')
  if (control.scope !== scope) throw badRequest('wrong-scope', `The control id is not for ${scope}.`)
  if (control.used) throw conflict('control-used', 'The control id was used already.')
  if (now >= control.expiresAt) throw gone('control-expired', 'The control id has expired.')
  return control
}

/** A PIN is seen and set by the plastic that is in use. @throws Problem 409 for any other. */
export function refuseInactive({status}: Plastic): void {
  if (status !== 'ACTIVE') throw conflict('plastic-not-active', 'The plastic is not active.')
}

/** Marks a control id as used; its key dies with it. */
export async function consume(tx: Transaction, control: PinControl): Promise<void> {
  await tx.pinControls.put({...control, used: true, tzpk: null})
}

/** Forgets what died long ago. */
export async function forgetControls(tx: Transaction, now: number): Promise<void> {
  const upTo = {member: 'expiresAt', value: now - REMEMBERED_MS} as const
  for (const {id} of await tx.pinControls.list({upTo, limit: 50})) await tx.pinControls.delete(id)
}
