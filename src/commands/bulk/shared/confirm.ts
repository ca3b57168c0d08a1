import {ceilingDemand} from '../../../cli/ceiling.ts'
import {placeText} from '../../../cli/chosen-service.ts'
import {confirm as ask, consequenceOf} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {counted} from '../../../money/amount.ts'
import {bodyFields} from '../../../output/changes.ts'
import {countRows, demandsOfRows, type RowsFound} from '../../../profiles/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {maskText} from '../../../sensitive/mask-text.ts'

export interface RowsQuestion {
  readonly target: Target
  readonly operation: Operation
  readonly found: RowsFound
  /** The rate in words. */
  readonly pace: string
  /** `--confirm NAME:COUNT`. */
  readonly confirm: readonly string[]
  /** Ask before writes, although the profile doesn't demand it. */
  readonly careful?: boolean
}

/**
 * Asks for the confirmations that a bulk job needs before the first row is sent: counts first, then the whole job.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmRows(
  context: Context,
  {target, operation, found, pace, confirm, careful = false}: RowsQuestion,
): Promise<void> {
  const {counts, demands: demanded} = demandsOfRows(target, operation, found)
  const above = found.over === undefined ? [] : [ceilingDemand(target, aboveIn(found.rows, found.over))]
  const demands = [...above, ...demanded]
  const rows = countRows(found.rows)
  const consequence = consequenceOf(operation)
  for (const {name, count} of counts) {
    if (confirm.includes(`${name}:${count}`)) continue
    const isWhole = name === operation.id
    throw new Failure('CONFIRMATION_REQUIRED', {
      message: isWhole
        ? `${placeText(target)}: ${operation.summary}, ${rows}. ${consequence}`
        : `${count} of ${rows} set ${name}, which cannot be undone.`,
      hint: `${isWhole ? 'If that is what you want' : `To set ${name} in all of them`}, add --confirm ${name}:COUNT with the number that you expect; --yes does not cover it.`,
      effect: 'none',
    })
  }
  await ask(context, {
    place: target,
    action: `carry out "${operation.summary}" for ${rows} at ${pace}`,
    consequence,
    details: found.sets === undefined ? [] : await setsLines(operation, found.rows, found.sets),
    notes: found.changes === undefined ? [] : [changesInWords(found.changes)],
    demands: careful && demands.length === 0 && operation.effect !== 'read' ? [{yes: true}] : demands,
  })
}

/** Two values for one field of one account: one of the ids may be wrong. */
export function warnOfTwo({printer}: Context, {differing}: RowsFound): void {
  if (differing === undefined) return
  const {rows, first} = differing
  printer.warn(
    `${rows === 1 ? '1 row sets' : `${rows} rows set`} a field to another value than an earlier row: ${first}. Without --unordered, what the later row says remains.`,
  )
}

/** What the rows set, and the first and the last of them as they were understood. */
async function setsLines(
  {id}: Operation,
  rows: number,
  sets: NonNullable<RowsFound['sets']>,
): Promise<readonly string[]> {
  const words = sets.ends.length > 1 ? ['First: ', 'Last: '] : ['']
  const ends = sets.ends.map(async ({owner, body}, at) => {
    const fields = await bodyFields(id, body)
    const shown = fields.slice(0, MOST_FIELDS).map(({name, text}) => `${name} ${maskText(text)}`)
    const more = fields.length > MOST_FIELDS ? ` and ${fields.length - MOST_FIELDS} more` : ''
    return `${words[at]}${owner.replace(':', ' ')}, ${shown.join(', ')}${more}`
  })
  return [`Sets ${setsInWords(rows, sets)}.`, ...(await Promise.all(ends))]
}

const MOST_FIELDS = 6

/** "name of 1 account, 300 times". */
const setsInWords = (rows: number, {fields, kind, things}: NonNullable<RowsFound['sets']>): string =>
  `${fields.join(', ')} of ${counted(things, kind)}${things < rows ? `, ${rows} times` : ''}`

const changesInWords = ({rows, of, first}: NonNullable<RowsFound['changes']>): string =>
  `${rows} of ${countRows(of)} change an amount to ten times as much or more, to a tenth or less, or from or to 0. ${first}`

const aboveIn = (rows: number, {rows: count, first}: NonNullable<RowsFound['over']>): string =>
  `${count} of ${countRows(rows)}: ${first}.`

/**
 * A worker continues what was confirmed when the job was created. On a live profile a person still says yes.
 *
 * @throws Failure CONFIRMATION_REQUIRED, CONFIRMATION_DECLINED
 */
export async function confirmWork(
  context: Context,
  {target, operation, pace}: Pick<RowsQuestion, 'target' | 'operation' | 'pace'>,
): Promise<void> {
  if (target.kind !== 'live' || operation.effect === 'read') return
  await ask(context, {
    place: target,
    action: `work on a shared job that carries out "${operation.summary}" at ${pace}`,
    consequence: consequenceOf(operation),
    demands: [{name: target.name, yes: true}],
  })
}
