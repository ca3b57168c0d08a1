import {Failure} from '../../../errors/failure.ts'
import {traceIdIn} from '../../../network/trace-context.ts'

/** The trace of `--trace`. @throws Failure USAGE if no request can have it */
export function traceOf(given: string | undefined): string | undefined {
  const trace = given === undefined ? undefined : traceIdIn(given)
  if (given === undefined || trace !== undefined) return trace
  throw new Failure('USAGE', {
    message: '--trace takes the 32 hexadecimal digits of a trace, or a whole TRACEPARENT.',
    effect: 'none',
  })
}
