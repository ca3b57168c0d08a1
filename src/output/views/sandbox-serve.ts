import {counted} from '../amount.ts'
import {bad, dim, ok, type Styled, strong, warn} from '../styled.ts'
import {sentence, type View} from '../view.ts'
import {clockTime, zoneOf} from '../when.ts'

interface Ready {
  readonly type: 'ready'
  readonly url: string
  readonly ca?: string
}

interface Request {
  readonly type: 'request'
  readonly at: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly replayed: boolean
}

interface Dropped {
  readonly type: 'dropped'
  readonly count: number
}

/** One line for each thing that happens to `sandbox serve`. */
export const sandboxServeView: View<Ready | Request | Dropped> = (event, context) => {
  // Log lines stay whole: a terminal wraps them itself.
  const line = (styled: Styled) => sentence(styled, {...context, width: Number.POSITIVE_INFINITY})
  switch (event.type) {
    case 'ready':
      return line([
        'listening on ',
        strong(event.url),
        ...(event.ca ? [dim(`  certificate ${event.ca}`)] : []),
        dim(`  times in ${zoneOf(context.now, context)}`),
      ])
    case 'dropped':
      return line(warn(`(${counted(event.count, 'line')} left out: nobody read them in time)`))
    case 'request': {
      const {at, method, url, status, durationMs, replayed} = event
      return line([
        dim(clockTime(at, context.timeZone)),
        ` ${method.padEnd(6)} ${url}  `,
        status === 0 ? bad('dropped') : paint(status),
        dim(`  ${Math.round(durationMs)} ms`),
        ...(replayed ? [dim('  replayed')] : []),
      ])
    }
  }
}

function paint(status: number) {
  if (status >= 500) return bad(String(status))
  return status >= 400 ? warn(String(status)) : ok(String(status))
}
