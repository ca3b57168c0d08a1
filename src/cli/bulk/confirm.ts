import type {Operation} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import type {Target} from '../../profiles/target.ts'
import type {Context} from '../context.ts'
import type {Precheck} from './rows.ts'

export interface BulkQuestion {
  readonly target: Target
  readonly operation: Operation
  readonly found: Precheck
  /** The pace in words. */
  readonly pace: string
  /** `--confirm VALUE:COUNT`. */
  readonly confirm: readonly string[]
}

/**
 * Asks before the first row leaves: for values that can't be taken back by value and count, for hazards and for live
 * profiles or destruction by a yes.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmBulk(context: Context, question: BulkQuestion): Promise<void> {
  const {target, operation, found, pace, confirm} = question
  const rows = `${found.rows} ${found.rows === 1 ? 'row' : 'rows'}`
  context.printer.note(`${rows} · ${operation.id} · ${target.name} · ${pace}`)
  for (const [value, count] of found.irreversible) {
    if (confirm.includes(`${value}:${count}`)) continue
    throw new Failure('CONFIRMATION_REQUIRED', {
      message: `${count} of ${rows} set ${value}, which cannot be undone.`,
      hint: `If all of them shall be ${value}, add --confirm ${value}:COUNT with the number that you expect; --yes does not cover it.`,
      effect: 'none',
    })
  }
  for (const [warning, count] of found.hazards) {
    context.printer.warn(`${count} of ${rows}: ${warning}`)
    await context.confirmYes('Is that what you want?')
  }
  if (operation.effect === 'read') return
  if (target.kind === 'live' || operation.effect === 'destroy') {
    await context.confirmYes(`Send ${rows} to ${target.name} (${pace})?`)
  }
}
