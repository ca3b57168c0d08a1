import {Failure} from '../errors/failure.ts'
import {proveNewFile} from '../files/named-output.ts'
import {digestOfFile} from '../input/file-digest.ts'
import type {Client} from './client/client.ts'
import type {Context} from './context.ts'
import {keptContent, type ToKeep} from './keep-requests.ts'
import type {KeptPlan} from './kept-plan.ts'
import {Turns} from './pace.ts'
import {writePlan} from './plan-file.ts'
import {PlanState} from './plan-state.ts'
import {planView} from './plan-view.ts'
import type {KeptRequests} from './proposal-content.ts'
import {stateReader} from './seen-state.ts'
import {type ShownPlan, shownPlan} from './shown-plan.ts'
import type {KnownOperations} from './shown-proposal.ts'
import {namedByPath} from './wire-gate.ts'

/**
 * Checks requests as if they were sent, looks at what they change, and writes them to a plan.
 *
 * @throws Failure whatever sending them would throw before a question; nothing was written then.
 */
export async function planRequests(
  context: Context,
  client: Client,
  asked: Omit<ToKeep, 'in'> & {readonly source?: string | undefined},
  file: string,
): Promise<void> {
  await proveNewFile(file)
  const content = await keptContent(context, client, {...asked, in: 'plan'})
  using journal = await context.stores.journal()
  const turns = new Turns(context)
  const calls = asked.calls.map(namedByPath)
  const known: KnownOperations = new Map(calls.map(({operation}) => [operation.id, operation] as const))
  const {name: profile} = client.target
  const digest = asked.source === undefined ? undefined : await digestOfFile(asked.source)
  const source = digest === undefined ? undefined : {name: asked.source ?? '', digest}
  const origin = {profile, ...(source && {source})}
  try {
    const found = {seen: [], unchanged: [], refused: []} as Pick<KeptPlan, 'seen' | 'unchanged' | 'refused'>
    const [first] = calls
    if (asked.transfers !== undefined || first === undefined)
      return void (await keepPlan(context, journal, {...content, plan: {...origin, ...found}}, known, file))
    const state = new PlanState(first.operation, journal, await stateReader(client, first.operation, turns))
    for (const {input} of calls) await state.add(input, {row: 1, line: 1})
    const [refused] = state.found.refused
    if (refused !== undefined) throw new Failure('NOT_FOUND', {message: refused.reason, effect: 'none'})
    await keepPlan(context, journal, {...content, plan: {...origin, ...state.found}}, known, file)
  } finally {
    await turns.close()
  }
}

/** Writes a plan, shows it, and says how to go on. Without a change there is none. */
export async function keepPlan(
  context: Context,
  journal: Parameters<typeof writePlan>[1],
  content: Omit<KeptRequests, 'format' | 'nonce'> & {readonly plan: KeptPlan},
  known: KnownOperations,
  file: string,
): Promise<ShownPlan> {
  const {seen, unchanged, refused} = content.plan
  const isEmpty = seen.length === 0 && content.transfers === undefined
  const id = isEmpty ? '' : await writePlan(file, journal, content)
  const shown = shownPlan(id, isEmpty ? {...content, requests: []} : content, known)
  await context.printer.data(shown, planView)
  if (isEmpty) {
    context.printer.note(
      `No plan was written: ${unchanged.length} of the rows would change nothing, and ${refused.length} are refused.`,
    )
    return shown
  }
  context.printer.note(
    `The plan is in ${file}. To look at it again: ${context.commandLine('plan', 'show', {value: file})}`,
    `To send it: ${context.commandLine('apply', {value: file})}`,
  )
  return shown
}
