import type {Doubt} from '../clock/trusted-clock.ts'

/** What a command says at its end if it could not believe the clock. */
export function doubtWords({now, last, service}: Doubt, when: (millis: number) => string): string {
  const why =
    service === undefined
      ? `The clock of this machine says ${when(now)}, but it was last known to be right at ${when(last)}, and nothing has confirmed it since.`
      : `The clock of this machine says ${when(now)}, but the service says ${when(service)}.`
  return `${why} Until it is confirmed, nothing is removed here, what was sent before still stops a repeat, and keys and proposals count as expired. If the clock is right, add --clock-is-right.`
}

/** For the hint of a refusal that the clock may be the reason for. */
export const CLOCK_HINT = 'If the clock of this machine is right, add --clock-is-right.'
