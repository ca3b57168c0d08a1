import {PassThrough, Readable} from 'node:stream'
import {idOf} from '../../../cli/command-effects.ts'
import {runLine} from '../../../cli/main.ts'
import type {Commands} from '../../../cli/program.ts'
import type {Surroundings} from '../../../cli/surroundings.ts'
import {Failure} from '../../../errors/failure.ts'
import {type Asked, amountText, type Decision} from '../../../policy/index.ts'
import {splitCommand} from '../../../profiles/index.ts'

/** What the policy decides about the first request of a command. */
export interface PolicyVerdict {
  readonly allowed: boolean
  readonly why: string
  /** The line of the policy that decides. */
  readonly line: string
  readonly profile: string
  /** The kind of caller. */
  readonly caller: string
  /** What the request does, at the strictest. */
  readonly effects: readonly string[]
  /** What it counts as, by currency; `unlimited` for a limit of 0 that means none. */
  readonly sums: Readonly<Record<string, string>>
  /** Users who may approve it. */
  readonly approvers: readonly string[]
  /** What else would stop the command, such as a profile that can't keep the proposal of an agent. */
  readonly missing: string | null
}

/**
 * Runs a command line up to its first request, which is judged and not sent.
 *
 * @throws Failure USAGE, and whatever the command throws before.
 */
export async function testLine(
  line: string,
  surroundings: Surroundings,
  commands: Commands,
): Promise<PolicyVerdict> {
  const split = splitCommand(line)
  if (split === undefined)
    throw new Failure('USAGE', {message: 'A quotation mark or a \\ in the command is not closed.'})
  const words = split[0] === 'cardctl' ? split.slice(1) : split
  await refuseOthers(words, commands)
  let verdict: Omit<PolicyVerdict, 'missing'> | undefined
  let missing: string | null = null
  const silent: Surroundings = {
    ...surroundings,
    argv: words,
    stdin: Readable.from([]),
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    env: {...surroundings.env, CARDCTL_NO_INPUT: '1', CARDCTL_YES: '1'},
    explainPolicy: (decision, asked) => {
      verdict ??= verdictOf(decision, asked)
    },
  }
  try {
    await runLine(words, silent, commands)
  } catch (error) {
    if (verdict === undefined) throw error
    // It ends as refused, because nothing is sent.
    if (!(error instanceof Failure)) throw error
    if (error.code !== 'POLICY_REFUSED') missing = error.message
  }
  if (verdict === undefined)
    throw new Failure('USAGE', {message: 'This command sends no request, so no policy decides about it.'})
  return {...verdict, missing}
}

interface TestedCommand {
  readonly claims?: readonly string[]
  readonly flags?: object
  readonly baseFlags?: object
}

/** Topics that keep something before their first request. */
const KEEPS = /^(?:apply|bulk|plan|requests|sandbox)(?::|$)/

/**
 * Only what prepares a request before it does anything else is run. Any other command would do its work.
 *
 * @throws Failure USAGE
 */
async function refuseOthers(words: readonly string[], commands: Commands): Promise<void> {
  const id = idOf(words, commands)
  const load = id === undefined ? undefined : commands[id]
  const Command = load && ((await load()).default as TestedCommand)
  const {claims = [], flags, baseFlags} = Command ?? {}
  const isRequest =
    id !== undefined && !KEEPS.test(id) && (claims.length > 0 || 'note' in {...baseFlags, ...flags})
  const keeps = words.find(word => /^--(?:propose|plan|save)(?:=|$)/.test(word))
  if (isRequest && keeps === undefined) return
  throw new Failure('USAGE', {
    message:
      keeps === undefined
        ? 'Only a command that sends one request of the contract can be tested, such as cards get.'
        : `With ${keeps.split('=')[0]} a command writes a file, so it can't be tested.`,
    effect: 'none',
  })
}

const verdictOf = (
  {allowed, why, line, approvers = []}: Decision,
  {profile, caller, effects, sums}: Asked,
): Omit<PolicyVerdict, 'missing'> => ({
  ...{allowed, why, line, profile, caller, effects, approvers},
  sums: Object.fromEntries(
    [...sums].map(([currency, sum]) => [currency, sum === undefined ? 'unlimited' : amountText(sum)]),
  ),
})
