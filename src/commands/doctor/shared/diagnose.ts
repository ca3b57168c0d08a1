import * as Flags from '@oclif/core/flags'
import {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {type Check, examine, firstProblem, type Step} from '../../../doctor/index.ts'
import {Advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {exitOf} from '../../../errors/registry.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import {machineSteps, terminalSteps} from './machine-steps.ts'
import {networkSteps} from './network-steps.ts'
import {profileSteps} from './profile-steps.ts'
import {rateStoreSteps} from './rate-store-steps.ts'
import {recordSteps} from './record-steps.ts'
import {serviceSteps} from './service-steps.ts'

export const doctorFlags = {
  fix: Flags.boolean({
    default: false,
    summary:
      'Remove the permissions of other users on the files of cardctl, and files that killed processes left behind. Changes no profile and no network setting.',
  }),
}

/** The command's result. */
export interface Diagnosis {
  /** No problems; there may be warnings. */
  readonly ok: boolean
  /** The exit code. */
  readonly exit: number
  readonly profile: string | null
  readonly checks: readonly Check[]
}

type DoctorFlags = FlagValues<typeof doctorFlags>

/** Shorter than the usual timeout: before a diagnosis, the user has often waited already. */
const PATIENCE_MS = 10_000

/** Checks everything between this machine and a response of the service. Changes nothing without `fix`. */
export async function diagnose(given: Context, {fix}: DoctorFlags): Promise<Diagnosis> {
  const context = new Context(
    given.surroundings,
    {...given.flags, timeout: given.flags.timeout ?? PATIENCE_MS},
    given.version,
  )
  const steps: readonly Step[] = [
    ...machineSteps(context, fix),
    ...profileSteps(context),
    ...(await networkSteps(context)),
    ...rateStoreSteps(context),
    ...serviceSteps(context),
    ...recordSteps(context),
    ...terminalSteps(context),
  ]
  // Created on the printer of the checks, so that their notes appear above the spinner.
  const wait = context.printer.wait('Checking')
  try {
    const checks = await examine(steps, context.surroundings.signal)
    const problem = firstProblem(checks)
    const name = await context.service.chosen().then(
      chosen => chosen.name,
      () => null,
    )
    return {
      ok: problem === undefined,
      exit: problem?.code === undefined ? 0 : exitOf(problem.code),
      profile: name,
      checks: checks.map(check => bound(check, context)),
    }
  } finally {
    wait.stop()
  }
}

/** Advice is about this profile, and doesn't lead to the command that gives it. */
function bound({advice, ...check}: Check, {forService}: Context): Check {
  if (!(advice instanceof Advice)) return {...check, advice}
  const isDoctor = ({argv}: SuggestedCommand): boolean => argv.length === 1 && argv[0] === 'doctor'
  return {...check, advice: advice.without(isDoctor).map(forService)}
}

/** The failure if something is broken; the report was already printed. */
export function diagnosisFailure({checks}: Diagnosis): Failure | undefined {
  const problems = checks.filter(({state}) => state === 'problem')
  const [first] = problems
  if (first?.code === undefined) return undefined
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  return new Failure(first.code, {
    message: `${first.title}: ${first.message}${more}.`,
    hint: first.advice,
    effect: 'none',
  })
}
