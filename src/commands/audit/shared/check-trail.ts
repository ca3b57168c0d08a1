import {join} from 'node:path'
import {
  type Anchor,
  type Audit,
  type Explained,
  formatAnchor,
  keepAsEvidence,
  type Verdict,
} from '../../../audit/index.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {excuseRequests, trailWitness} from '../../../journal/index.ts'

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
  if (verdict.anchor === 'before') {
    // Only its beginning: more digits in a row may look like a card number, and would be masked.
    const [hash] = /[0-9a-f]{12}(?=[0-9a-f]{52})/.exec(anchor ?? '') ?? []
    context.printer.warn(
      `The anchor is of the trail before this one, which audit begin moved to a file. That file must have its line: grep '"hash":"${hash}' FILE`,
    )
  }
  for (const each of caveats(context, verdict)) context.printer.note(each)
  return verdict
}

/** What a sound trail doesn't show. */
export function caveats(context: Context, {backwards, begun, brokenBefore}: Verdict): string[] {
  const found: string[] = []
  if (backwards !== undefined) {
    found.push(
      `${backwards.entries} ${backwards.entries === 1 ? 'entry is' : 'entries are'} older than the one before, first entry ${backwards.seq} (${context.when(Date.parse(backwards.at))}): the clock of this machine was wrong. --since and --until may leave them out.`,
    )
  }
  if (begun !== undefined) {
    const signed = begun.isSigned
      ? 'That one was intact, and its key signed this one'
      : 'That one was not intact, or its key was not there'
    found.push(
      `This trail was begun ${context.when(Date.parse(begun.at))} in the place of another one. ${signed}. Earlier requests have no entries here.`,
    )
  }
  if (brokenBefore !== undefined && begun?.isSigned !== false) {
    found.push(
      `A trail that was not intact was replaced ${context.when(Date.parse(brokenBefore))}. What it lacked is not in this one either.`,
    )
  }
  return found
}

/** The same without warnings. @throws as `checkTrail` */
export async function trailFailure(context: Context, audit: Audit, anchor?: string): Promise<Verdict> {
  // No signal would be noticed while long journals and a long trail are read. An export that a first one ended is checked.
  const verdict = await context.surroundings.showAbandonably(async () =>
    audit.verify(anchor, await readWitness(context)),
  )
  const {firstBroken: broken} = verdict
  if (broken) {
    throw new Failure('CONFIG_DAMAGED', {
      message: `${audit.file} is broken at line ${broken.line}: ${broken.why}`,
      hint: keepAsEvidence(audit.file),
      data: {verdict},
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
      message: 'The audit trail is empty.',
      hint: 'The first write, disclosure or reveal makes one.',
    })
  }
  return {anchor: formatAnchor(last), ...last}
}

/** What the journals of this machine know. To be read before the trail, which has everything that ended before. */
async function readWitness({folders: {data}}: Context) {
  return trailWitness(join(data, 'journal'))
}

/** What a sealed line says about all that the journals of this machine know now. */
export async function explainedHere(context: Context): Promise<Explained> {
  const marks = excuseRequests(join(context.folders.data, 'journal'))
  const {keys} = await readWitness(context)
  return {marks, formerKeys: [...keys.keys()]}
}
