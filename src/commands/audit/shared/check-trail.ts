import {join} from 'node:path'
import type {Anchor, Audit, Verdict} from '../../../audit/index.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'

/**
 * Verifies the chain of the audit trail, and warns on stderr about entries that can't be verified.
 *
 * @param anchor output of `audit anchor`.
 * @throws Failure CONFIG_DAMAGED, which names the first broken line; USAGE for an invalid anchor.
 */
export async function checkTrail(context: Context, audit: Audit, anchor?: string): Promise<Verdict> {
  const verdict = await trailFailure(context, audit, anchor)
  if (verdict.unsealed > 0) {
    context.printer.warn(
      `The last ${verdict.unsealed} lines are not sealed: a process was killed before it could, or somebody added them. The next line will say so.`,
    )
  }
  if (verdict.anchor === 'pruned') {
    context.printer.warn('The line of the anchor was pruned since; whether it was the same is not known.')
  }
  return verdict
}

/** The same without warnings. @throws as `checkTrail` */
export async function trailFailure(context: Context, audit: Audit, anchor?: string): Promise<Verdict> {
  const verdict = audit.verify(anchor)
  const broken = verdict.firstBroken ?? (await missingTrail(context, verdict))
  if (broken) {
    const {keepAsEvidence} = await import('../../../audit/index.ts')
    throw new Failure('CONFIG_DAMAGED', {
      message: `${audit.file} is broken at line ${broken.line}: ${broken.why}`,
      hint: keepAsEvidence(audit.file),
      data: {verdict: {...verdict, ok: false, firstBroken: broken}},
    })
  }
  return verdict
}

export interface PrintedAnchor extends Anchor {
  /** The value to keep elsewhere. */
  readonly anchor: string
}

/**
 * The last line of an intact trail, as a value to keep elsewhere.
 *
 * @throws as `checkTrail`; NOT_FOUND if there is no line
 */
export async function anchorOf(context: Context, audit: Audit): Promise<PrintedAnchor> {
  await checkTrail(context, audit)
  const {last} = audit.anchor()
  if (last === undefined) {
    throw new Failure('NOT_FOUND', {
      message: 'The audit trail has no line yet.',
      hint: 'The first write, disclosure or reveal makes one.',
    })
  }
  const {formatAnchor} = await import('../../../audit/index.ts')
  return {anchor: formatAnchor(last), ...last}
}

/** An empty trail is broken if a journal has requests that must have left entries. */
async function missingTrail(context: Context, {lines}: Verdict): Promise<Verdict['firstBroken']> {
  if (lines > 0) return undefined
  const folder = join(context.folders.data, 'journal')
  const {journalWithRequests} = await import('../../../journal/index.ts')
  const witness = journalWithRequests(folder)
  if (witness === undefined) return undefined
  return {line: 1, why: `There is no trail, but the journal ${witness} has requests that left lines in one.`}
}
