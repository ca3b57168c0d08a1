import {confirm as ask} from '../../../cli/confirm.ts'
import {consequenceOf} from '../../../cli/confirm-request.ts'
import type {Context} from '../../../cli/context.ts'
import {placeText} from '../../../cli/place.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Target} from '../../../profiles/target.ts'
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
 * Asks before the first row leaves: for values that can't be taken back by value and count, for hazards by a yes, and
 * for the run as a whole.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmBulk(context: Context, question: BulkQuestion): Promise<void> {
  const {target, operation, found, pace, confirm} = question
  const rows = inRows(found.rows)
  context.printer.note(`${rows} · ${operation.id} · ${pace}`)
  for (const [value, count] of found.irreversible) {
    needCount(confirm, {
      name: value,
      count,
      message: `${count} of ${rows} set ${value}, which cannot be undone.`,
      hint: `If all of them shall be ${value}, add`,
    })
  }
  await confirmRows(context, {target, operation, rows: found.rows, pace, confirm, hazards: found.hazards})
}

interface Counted {
  readonly name: string
  readonly count: number
  readonly message: string
  readonly hint: string
}

/** Neither `--yes` nor a question tells whether somebody knows how many rows there are. */
function needCount(given: readonly string[], {name, count, message, hint}: Counted): void {
  if (given.includes(`${name}:${count}`)) return
  throw new Failure('CONFIRMATION_REQUIRED', {
    message,
    hint: `${hint} --confirm ${name}:COUNT with the number that you expect; --yes does not cover it.`,
    effect: 'none',
  })
}

export interface RowsQuestion {
  readonly target: Target
  readonly operation: Operation
  readonly rows: number
  readonly pace: string
  /** `--confirm VALUE:COUNT`. */
  readonly confirm: readonly string[]
  /** The contract's warnings, and how many rows they concern. */
  readonly hazards?: ReadonlyMap<string, number>
}

/**
 * Many writes to a live profile: a person types its name, where one write has them type its id, and what is destroyed is
 * confirmed by its count as well. Elsewhere what is destroyed needs a yes.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmRows(context: Context, question: RowsQuestion): Promise<void> {
  const {target, operation, pace, hazards = new Map<string, number>()} = question
  const rows = inRows(question.rows)
  if (target.kind === 'live' && operation.effect === 'destroy') {
    needCount(question.confirm, {
      name: operation.id,
      count: question.rows,
      message: `${placeText(target)}: ${operation.summary}, ${rows}. ${consequenceOf(operation)}`,
      hint: 'If that is what you want, add',
    })
  }
  const isLive = target.kind === 'live' && operation.effect !== 'read'
  const whole = isLive
    ? [{name: target.name, yes: true}]
    : operation.effect === 'destroy'
      ? [{yes: true}]
      : []
  const warnings = [...hazards].map(([warning, count]) => ({
    yes: true,
    warning: `${count} of ${rows}: ${warning}`,
  }))
  await ask(context, {
    place: target,
    action: `carry out "${operation.summary}" for ${rows} at ${pace}`,
    consequence: consequenceOf(operation),
    demands: [...warnings, ...whole],
  })
}

const inRows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`
