import {fileURLToPath} from 'node:url'
import type {PJSON} from '@oclif/core/interfaces'
import {run} from '@oclif/core/run'
import {failureFrom} from './failure-from.ts'
import {reportFailure} from './report-failure.ts'
import type {StartOptions, Surroundings} from './surroundings.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Runs one command line and gives its exit code. The one place where an error is printed: commands throw.
 * `pjson` lets the sources run in place of the build.
 */
export async function main(
  argv: readonly string[],
  surroundings: Surroundings,
  pjson?: PJSON,
): Promise<number> {
  try {
    const options: StartOptions = {root: ROOT, surroundings, ...(pjson ? {pjson, ignoreManifest: true} : {})}
    await run([...argv], options)
    return interruption(surroundings.signal) ?? 0
  } catch (error) {
    const failure = failureFrom(error)
    await reportFailure(failure, argv, surroundings)
    return interruption(surroundings.signal) ?? failure.exit
  }
}

/** 128 and the signal's number, as shells expect of a program that a signal ended. */
function interruption(signal: AbortSignal): number | undefined {
  if (!signal.aborted) return undefined
  return signal.reason === 'SIGTERM' ? 143 : 130
}
