import {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import type {Check, Step} from '../../../doctor/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {errorRegistry} from '../../../errors/registry.ts'
import type Doctor from '../../doctor.ts'
import {machineSteps, terminalSteps} from './machine-steps.ts'
import {networkSteps} from './network-steps.ts'
import {profileSteps} from './profile-steps.ts'
import {recordSteps} from './record-steps.ts'
import {serviceSteps} from './service-steps.ts'

/** What the command prints. */
export interface Diagnosis {
  /** No problem; there may be warnings. */
  readonly ok: boolean
  /** What the command ends with. */
  readonly exit: number
  readonly profile: string | null
  readonly checks: readonly Check[]
}

type DoctorFlags = FlagValues<typeof Doctor.flags>

/** Shorter than usual: who waits for a diagnosis has often waited already. */
const PATIENCE_MS = 10_000

/** Looks at everything between this machine and an answer of the service. Changes nothing without `fix`. */
export async function diagnose(given: Context, {fix}: DoctorFlags): Promise<Diagnosis> {
  const context = new Context(
    given.surroundings,
    {...given.flags, timeout: given.flags.timeout ?? PATIENCE_MS},
    given.version,
  )
  // Loaded on first use: the checks.
  const doctor = await import('../../../doctor/index.ts')
  const steps: readonly Step[] = [
    ...machineSteps(context, doctor, fix),
    ...profileSteps(context, doctor),
    ...(await networkSteps(context, doctor)),
    ...serviceSteps(context, doctor),
    ...recordSteps(context, doctor),
    ...terminalSteps(context, doctor),
  ]
  // On the printer of the checks: what they note is printed above the spinner.
  const wait = context.printer.wait('Checking')
  try {
    const checks = await doctor.examine(steps, context.surroundings.signal)
    const problem = doctor.firstProblem(checks)
    const name = await context.chosen().then(
      chosen => chosen.name,
      () => null,
    )
    return {
      ok: problem === undefined,
      exit: problem?.code === undefined ? 0 : errorRegistry[problem.code].exit,
      profile: name,
      checks,
    }
  } finally {
    wait.stop()
  }
}

/** How the command ends where something is broken; the report has been printed. */
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
