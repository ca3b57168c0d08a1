import {Failure} from '../errors/failure.ts'
import type {Styled} from '../output/styled.ts'
import {answerTo, type Demand} from '../profiles/index.ts'
import {isLoopback} from '../sensitive/loopback.ts'
import {shellQuoted} from './command-line.ts'
import type {Context} from './context.ts'
import {type Place, placeText, placeWords} from './place.ts'

export const WITHOUT_TLS = 'calls would travel there without TLS'

/**
 * Lets calls go to this machine only, unless the host is typed again.
 * @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED
 */
export async function confirmHost(
  context: Context,
  {hostname}: URL,
  {confirm: given, why}: {confirm: string | undefined; why: string},
): Promise<void> {
  if (isLoopback(hostname)) return
  await confirm(context, {
    place: {at: hostname},
    action: 'send calls to another machine than this',
    consequence: `${why[0]?.toUpperCase()}${why.slice(1)}.`,
    demands: [{name: hostname, yes: false}],
    confirm: given === undefined ? [] : [given],
  })
}

/** Everything a person needs to know to agree to something. */
interface Question {
  readonly place: Place
  /** What is about to happen, and to what: `delete price list 5002`. */
  readonly action: string
  /** What comes of it, in a sentence or two. */
  readonly consequence: string
  /** More about it, line by line. */
  readonly details?: readonly Styled[]
  /** What has to be agreed to; a plain yes if nothing is said. */
  readonly demands?: readonly Demand[]
  /** `--confirm`. */
  readonly confirm?: readonly string[] | undefined
  /** What to do where nobody can be asked, if there is more to it than the flags that the demands take. */
  readonly otherwise?: string
}

const PLAIN_YES: readonly Demand[] = [{yes: true}]

/**
 * The one way to ask before something happens. Every question names the place, the deed and what comes of it; what
 * `--yes` and `--confirm` have agreed to isn't asked.
 *
 * @throws Failure CONFIRMATION_REQUIRED where nobody can be asked, CONFIRMATION_DECLINED
 */
export async function confirm(context: Context, question: Question): Promise<void> {
  const {demands = PLAIN_YES, confirm: confirmed = []} = question
  const said = {interactive: context.interactive, yes: context.flags.yes ?? false, confirm: confirmed}
  const open = demands.filter(demand => answerTo(demand, said) === 'refuse')
  if (open.length > 0) throw confirmationRequired(question, open)
  const toAsk = new Set(demands.filter(demand => answerTo(demand, said) === 'ask'))
  if (toAsk.size > 0) {
    const {place, action, consequence, details = []} = question
    if ('name' in place) context.placeIsTold()
    context.printer.question([placeWords(place), `: ${action}. ${consequence}`].flat(), ...details)
  }
  for (const demand of demands) {
    if (demand.warning !== undefined) context.printer.warn(demand.warning)
    if (toAsk.has(demand) && !(await agrees(context, demand))) {
      throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
    }
  }
}

async function agrees({prompter}: Context, {name, warning}: Demand): Promise<boolean> {
  if (name === undefined) return prompter.yes(warning === undefined ? 'Go on?' : 'Is that what you want?')
  return (await prompter.text(`Type ${name} to go on:`)).trim() === name
}

function confirmationRequired(
  {place, action, consequence, otherwise}: Question,
  open: readonly Demand[],
): Failure {
  const warnings = open.flatMap(({warning}) => (warning === undefined ? [] : [` ${warning}`])).join('')
  const named = open.filter(({yes}) => !yes)
  return new Failure('CONFIRMATION_REQUIRED', {
    message: `${placeText(place)}: ${action}. ${consequence}${warnings} There is no terminal to ask on.`,
    hint: otherwise ?? wayOut(open, named),
    effect: 'none',
  })
}

/** The flags that agree to what is open. */
function wayOut(open: readonly Demand[], named: readonly Demand[]): string {
  const names = named.map(demand => confirmFlag(demand)).join(' ')
  if (named.length === open.length) {
    return `Add ${names}; --yes does not cover ${named.length === 1 ? 'it' : 'them'}.`
  }
  if (named.length > 0) return `Add ${names} --yes; --yes alone does not cover it.`
  return 'Add --yes.'
}

const confirmFlag = ({name = ''}: Demand): string =>
  `--confirm ${/^[\w.:-]+$/.test(name) ? name : shellQuoted(name)}`
