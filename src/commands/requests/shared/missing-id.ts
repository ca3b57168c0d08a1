import {LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {isTryOut} from '../../../cli/proposal-setup.ts'
import {Proposals, refuseSamePerson} from '../../../cli/proposals.ts'
import {personOf} from '../../../cli/propose.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Target} from '../../../profiles/target.ts'
import {openIn} from './open-proposal.ts'
import {openRequests} from './shown-request.ts'
import {LINES} from './whole-id.ts'

/** Whether a line has an id, so that something else is wrong with it. */
const hasId = (argv: readonly string[]): boolean => argv.some(word => word === LAST || /^[pr]_/.test(word))

/** What a line without the id of a proposal lacks: the one that waits for this person, else where all are listed. */
export async function proposalMissing(
  context: Context,
  verb: 'approve' | 'reject',
  argv: readonly string[],
): Promise<Hint | undefined> {
  if (hasId(argv)) return undefined
  const list = () => advice`To see what waits, with ids, run: ${context.commandLine('requests', 'proposals')}`
  try {
    const target = await context.service.target()
    const waiting = (await openIn(context, new Proposals(target))).filter(
      ({proposal}) => verb === 'reject' || mayDecide(target, proposal),
    )
    const [only, another] = waiting
    if (only === undefined) return advice`No proposal waits for you. ${list()}`
    if (another !== undefined) return advice`${waiting.length} proposals wait. ${list()}`
    return advice`One waits. To read it and decide, run: ${context.forService(LINES[verb](only.proposal.id))}`
  } catch (error) {
    if (error instanceof Failure) return list()
    throw error
  }
}

function mayDecide(target: Target, proposal: Parameters<typeof refuseSamePerson>[0]): boolean {
  try {
    refuseSamePerson(proposal, personOf(target), isTryOut(target))
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** What a line without the id of a request lacks: the only one whose effect is unknown, else where all are listed. */
export async function requestMissing(
  context: Context,
  verb: 'resolve' | 'retry',
  argv: readonly string[],
): Promise<Hint | undefined> {
  if (hasId(argv)) return undefined
  const all = advice`To see all requests, with ids, run: ${context.commandLine('requests', 'list')}`
  if (!(await context.stores.hasJournal())) return all
  using journal = await context.stores.quietJournal()
  const open = openRequests(journal)
  const only = open.next().value
  const another = open.next().value
  open.return()
  if (only === undefined) return advice`No request has an unknown effect. ${all}`
  if (another !== undefined)
    return advice`Several requests have an unknown effect. To see them, with ids, run: ${context.commandLine('requests', 'list', '--open')}`
  return advice`The effect of one request is unknown. Run: ${context.forService(LINES[verb](only.id))}`
}
