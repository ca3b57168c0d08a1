import type {Doubt} from '../clock/trusted-clock.ts'
import {Failure} from '../errors/failure.ts'
import type {Client} from './client/client.ts'
import type {Context} from './context.ts'
import {probeCall} from './probe-call.ts'

/** What a command says at its end if it could not believe the clock. */
export function doubtWords({now, last, service}: Doubt, when: (millis: number) => string): string {
  const why =
    service === undefined
      ? `The clock of this machine says ${when(now)}, but was last believed at ${when(last)}, and nothing has confirmed it since.`
      : `The clock of this machine says ${when(now)}, but the service says ${when(service)}.`
  return `${why} Until it is confirmed, nothing is removed here, what was sent before still stops a repeat, and keys and proposals count as expired. If the clock is right, add --clock-is-right.`
}

/** For the hint of a refusal that the clock may be the reason for. */
export const CLOCK_HINT = 'If the clock of this machine is right, add --clock-is-right.'

/** Whether the clock can be believed, as the journal of the service sees it. */
export async function believesClock(context: Context): Promise<boolean> {
  using journal = await context.stores.journal()
  return journal.store.isBelieved()
}

/**
 * Where the time can't be believed, or isn't what was confirmed last, reads something of the service, whose response says
 * what time it is.
 *
 * @param isAsked even where nothing speaks against the clock of this machine.
 * @returns whether it can be believed now.
 */
export async function confirmClock(context: Context, client: Client, isAsked = false): Promise<boolean> {
  const isSure = !isAsked && (await believesClock(context)) && context.stores.clock.isSure()
  if (isSure || client.target.kind === 'sandbox') return believesClock(context)
  try {
    await client.call(probeCall(client.target).call)
  } catch (error) {
    // A refusal has a time too.
    if (!(error instanceof Failure)) throw error
  }
  return believesClock(context)
}
