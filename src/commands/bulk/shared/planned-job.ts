import type {Job} from '../../../bulk/index.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'

/** The job key of the rows of a plan, so that they are sent once, however often the plan is applied. */
export const planKey = (plan: string): string => `plan/${plan}`

export const isPlanKey = (jobKey: string | undefined): boolean => jobKey?.startsWith('plan/') === true

/** What is needed of a job to say how it goes on. */
export interface Resumable {
  readonly job: string
  readonly jobKey?: string | undefined
  /** The file that its rows came from. */
  readonly source?: string | undefined
}

export const resumable = ({id: job, settings: {jobKey}, source}: Job): Resumable => ({job, jobKey, source})

/** The command that continues a job. */
export const resumeLine = (
  commandLine: CommandLine,
  {job, jobKey, source = ''}: Resumable,
): SuggestedCommand =>
  isPlanKey(jobKey) ? commandLine('apply', {value: source}) : commandLine('bulk', 'resume', {value: job})

/**
 * Only the plan's file has what the rows were compared with, so only `apply` continues its job.
 *
 * @throws Failure USAGE
 */
export function refusePlanned(context: {readonly commandLine: CommandLine}, job: Job): Job {
  const {jobKey} = job.settings
  if (!isPlanKey(jobKey)) return job
  throw new Failure('USAGE', {
    message: `Bulk job ${job.id} belongs to the plan in ${job.source}.`,
    hint: advice`Continue with: ${resumeLine(context.commandLine, {job: job.id, jobKey, source: job.source})}`,
    effect: 'none',
  })
}
