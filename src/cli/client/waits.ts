import type {SendOptions} from '../../http/index.ts'
import type {Target} from '../../profiles/target.ts'
import type {Context} from '../context.ts'

/** Says what requests wait for: a response, or the time of the next attempt. */
export function sayWaits(
  {printer, surroundings}: Context,
  target: Pick<Target, 'embedded'>,
): NonNullable<SendOptions['waiting']> {
  return (host, attempt, pauseMs) => {
    const name = target.embedded ? 'the sandbox' : host
    const number = attempt > 1 ? `, attempt ${attempt}` : ''
    const brief = `${target.embedded ? 'sandbox' : host}${number}`
    if (pauseMs === 0)
      return printer.waiting({for: 'response', why: `${name} has not responded yet${number}`, brief})
    const until = surroundings.now() + pauseMs
    return printer.waiting({for: 'retry', why: `then ${name} is asked again${number}`, until, brief})
  }
}
