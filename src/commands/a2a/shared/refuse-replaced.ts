import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {counted} from '../../../money/amount.ts'
import {type FixMark, marksIn} from '../../../output/batch-marks.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import {hadEffect, nameOf} from './parts.ts'
import {setOf} from './reference.ts'
import {isFixedBy, isSameId} from './replaced-rows.ts'

/** A batch that sent failed transfers of another one again, as they were or corrected. */
export interface Replacing {
  /** The batch, or its request where no response named it. */
  readonly name: string
  readonly batch: string | undefined
  readonly request: RequestRecord | undefined
  readonly description: string
}

/**
 * The batches of the service, and the requests of this machine of which it isn't known whether they made one.
 *
 * @returns all batches of the service, too
 */
export async function allSendings(client: Client, journal: Journal) {
  const batches: unknown[] = []
  const fetch: FetchPage = (query, options) => client.call({operation: 'a2a.list.v1', query}, options)
  for await (const item of pagedItems(operations['a2a.list.v1'], {all: true}, fetch).items) batches.push(item)
  const open = journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(request => hadEffect(request) && request.state !== 'done')
  const sendings: readonly Replacing[] = [
    ...batches.map(batch => ({
      name: `batch ${textAt(batch, 'id')}`,
      batch: textAt(batch, 'id'),
      request: undefined,
      description: textAt(batch, 'description'),
    })),
    ...open.map(request => ({
      name: nameOf(request),
      batch: request.replyId,
      request,
      description: descriptionOf(journal, request),
    })),
  ]
  return {batches, sendings}
}

/** Of the batch that a request makes. */
export function descriptionOf(journal: Journal, {id}: RequestRecord): string {
  const kept = textAt(fieldAt(journal.requests.keptInput(id), 'body'), 'description')
  return kept === '' ? textAt(journal.requests.sent(id), 'description') : kept
}

/**
 * The rows of a batch that replace failed transfers must not replace what was replaced before: by `--retry-failed`, or by
 * another file, from here or elsewhere.
 *
 * @param bodies of the batches to send
 * @param own ids of batches that this command continues, or that were looked at before
 * @param retried the batch of which the bodies send the failed transfers again
 * @throws Failure ALREADY_SENT, which names the batch; EFFECT_UNKNOWN if it isn't known whether there is one
 */
export async function refuseReplaced(
  {commandLine, stores}: Pick<Context, 'commandLine' | 'stores'>,
  client: Client,
  bodies: readonly unknown[],
  own: ReadonlySet<string | undefined> = new Set(),
  retried?: string,
): Promise<void> {
  const marks = bodies.map(body => marksIn(textAt(body, 'description')))
  const fixes = [
    ...marks.flatMap(one => one.fixes),
    ...(retried === undefined ? [] : [{batch: retried, items: undefined}]),
  ]
  if (fixes.length === 0) return
  const references = new Set(marks.map(({reference}) => setOf(reference)))
  using journal = await stores.journal()
  const {sendings} = await allSendings(client, journal)
  for (const sending of sendings) {
    const {reference, fixes: before, retries = ''} = marksIn(sending.description)
    const isOwn = reference !== undefined && references.has(setOf(reference))
    if (isOwn || own.has(sending.batch)) continue
    const both = fixes.filter(
      fix => isSameId(fix.batch, retries) || before.some(other => overlaps(fix, other)),
    )
    const [first] = both
    if (first === undefined) continue
    const count = both.flatMap(({items}) => items ?? []).length
    const what = count === 0 ? 'Rows' : `Some of the ${counted(count, 'row')}`
    const {request, batch = ''} = sending
    if (request !== undefined)
      throw new Failure('EFFECT_UNKNOWN', {
        message: `${what} that replace failed transfers of batch ${first.batch} may have been sent already: ${sending.name}.`,
        hint: advice`Find out first: ${commandLine('requests', 'resolve', {value: request.id})}`,
        effect: 'none',
        requestId: request.id,
      })
    throw new Failure('ALREADY_SENT', {
      message: `${what} that replace failed transfers of batch ${first.batch} were sent already, perhaps corrected otherwise: ${sending.name}.`,
      hint: advice`See: ${commandLine('a2a', 'get', {value: batch}, '--all')}. What is left of batch ${first.batch}: ${commandLine('a2a', 'get', {value: first.batch}, '--failed-to', {value: `failed-${first.batch}.csv`})}. To send all rows all the same, add --again.`,
      effect: 'none',
      data: {earlier: [{batch, elsewhere: true}]},
    })
  }
}

const overlaps = (one: FixMark, other: FixMark): boolean =>
  isSameId(one.batch, other.batch) &&
  (one.items === undefined ||
    other.items === undefined ||
    one.items.some(item => other.items?.includes(item)))

/** What is left of the failed transfers of a batch, and what has sent the others. */
export interface LeftOfFailed {
  /** All batches of the service. */
  readonly listed: readonly unknown[]
  readonly left: readonly unknown[]
  readonly by: readonly Replacing[]
  /** Those that don't say which of them they have sent. */
  readonly unsure: readonly Replacing[]
}

/** Leaves out the failed transfers of a batch that were sent from a file of them: what became of those, their own batch shows. */
export async function withoutReplaced(
  {stores}: Pick<Context, 'stores'>,
  client: Client,
  batch: string,
  items: readonly unknown[],
): Promise<LeftOfFailed> {
  using journal = await stores.journal()
  const {batches: listed, sendings} = await allSendings(client, journal)
  const by = new Set<Replacing>()
  const unsure = new Set<Replacing>()
  const left = items.filter(item => {
    const failed = {batch, item: textAt(item, 'id')}
    const replacing = sendings.filter(sending => {
      const said = marksIn(sending.description).fixes.map(fix => isFixedBy(fix, failed))
      if (said.includes(undefined)) unsure.add(sending)
      return said.includes(true)
    })
    for (const one of replacing) by.add(one)
    return replacing.length === 0
  })
  return {listed, left, by: [...by], unsure: [...unsure]}
}
