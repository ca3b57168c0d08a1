import {timingSafeEqual} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import {parseObject} from '../errors/is-object.ts'
import {writeNewFile} from '../files/named-output.ts'
import {readWhole, unreadableInput} from '../input/read-input.ts'
import type {Journal} from '../journal/index.ts'
import type {KeptPlan} from './kept-plan.ts'
import {decodeKept, encodeKept, type KeptRequests} from './proposal-content.ts'

/** A plan as its file has it. The id is the digest of all that follows the first line. */
export interface PlanFile {
  readonly file: string
  readonly id: string
  readonly content: KeptRequests & {readonly plan: KeptPlan}
  /** A mark of the id under the key of the journal where the plan was made. */
  readonly seal: string
}

/** More than any plan that a person could look at. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Writes a plan to a new file that only its owner can read.
 *
 * @returns its id.
 * @throws Failure OUTPUT_UNWRITABLE
 */
export async function writePlan(
  file: string,
  journal: Journal,
  content: Omit<KeptRequests, 'format' | 'nonce'> & {readonly plan: KeptPlan},
): Promise<string> {
  const {id, bytes} = encodeKept(content)
  if (decodeKept(id, bytes) === undefined)
    throw new Failure('USAGE', {message: 'The requests cannot be kept as a plan.', effect: 'none'})
  await writeNewFile(file, `${JSON.stringify({plan: id, seal: sealOf(journal, id)})}\n${bytes}`)
  return id
}

/** @throws Failure INPUT_INVALID for a file that is no plan, or was changed after it was made. */
export async function readPlan(file: string, signal: AbortSignal): Promise<PlanFile> {
  const bytes = await readWhole(file, signal, MOST_BYTES).catch((error: unknown) => {
    throw unreadableInput(file, error)
  })
  const end = bytes?.indexOf('\n') ?? -1
  const {plan: id, seal} = parseObject(bytes?.toString('utf8', 0, Math.max(0, end)) ?? '') ?? {}
  if (bytes === undefined || typeof id !== 'string' || typeof seal !== 'string')
    throw refused(`${file} is not a plan.`, 'Plans are made by bulk plan, a2a plan and --plan.')
  const content = decodeKept(id, bytes.subarray(end + 1))
  if (content?.plan === undefined)
    throw refused(
      `${file} was changed after it was made: its content is not that of plan ${id.slice(0, 42)}.`,
      'Make the plan again.',
    )
  return {file, id, content: {...content, plan: content.plan}, seal}
}

/** Whether the plan was made with this journal, and so by this user on this machine. */
export function isMadeHere(journal: Journal, {id, seal}: PlanFile): boolean {
  const [own, given] = [Buffer.from(sealOf(journal, id)), Buffer.from(seal)]
  return own.length === given.length && timingSafeEqual(own, given)
}

const sealOf = (journal: Journal, id: string): string => journal.store.digest(['plan', id])

const refused = (message: string, hint: string): Failure =>
  new Failure('INPUT_INVALID', {message: `${message} Nothing was sent.`, hint, effect: 'none'})
