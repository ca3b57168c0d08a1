import type {Operation} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import type {Target} from '../../profiles/target.ts'
import {nameOf} from '../confirm.ts'
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
  context.printer.note([`${rows} · ${operation.id} · `, ...nameOf(target), ` · ${pace}`])
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
  if (target.kind === 'live') await confirmLive(context, target, rows)
  else if (operation.effect === 'destroy') {
    await context.confirmYes(`Send ${rows} to ${target.name} (${pace})?`)
  }
}

/**
 * Many writes to a live profile: a person types its name, where one write has them type its id.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmLive(context: Context, {name}: Target, rows: string): Promise<void> {
  if (!context.interactive || context.flags.yes) return context.confirmYes(`Send ${rows} to LIVE ${name}?`)
  const typed = await context.prompter.text(`Type ${name} to send ${rows} to it:`)
  if (typed.trim() !== name) {
    throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
  }
}
