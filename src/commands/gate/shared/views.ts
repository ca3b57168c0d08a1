import type {DroppedEvent} from '../../../cli/serving/run-server.ts'
import {counted} from '../../../money/amount.ts'
import {bad, dim, ok, type Styled, strong, warn} from '../../../output/styled.ts'
import {sentence, type View} from '../../../output/view.ts'
import {clockTime, zoneOf} from '../../../output/when.ts'
import type {GateEvent} from './server.ts'

/** One line for each event of `gate serve`. */
export const gateServeView: View<GateEvent | DroppedEvent> = (event, context) => {
  // Log lines aren't cut: the terminal wraps them.
  const line = (styled: Styled) => sentence(styled, {...context, width: Number.POSITIVE_INFINITY})
  switch (event.type) {
    case 'ready':
      return [
        ...event.callers.map(({user, profile, at, sender}) =>
          line([
            ...['serves ', strong(user), ` with ${profile} on ${at}`],
            dim(sender === undefined ? '' : `  journal ${sender}`),
          ]),
        ),
        line(dim(`times in ${zoneOf(context.now, context)}`)),
      ].join('\n')
    case 'unserved': {
      const {user, profile, at, why} = event
      return line([bad('does not serve '), strong(user), ` with ${profile} on ${at}: ${why}`])
    }
    case 'dropped':
      return line(warn(`(${counted(event.count, 'line')} omitted: the reader was too slow)`))
    case 'omitted': {
      const {user, profile, count} = event
      return line(
        warn(`(${counted(count, 'request')} of ${user} with ${profile} omitted: too many in a minute)`),
      )
    }
    case 'request': {
      const {at, user, profile, operation, status, durationMs, why} = event
      const paint = status >= 500 ? bad : status >= 400 ? warn : ok
      return line([
        dim(clockTime(at, context.timeZone)),
        ` ${user}  ${profile}  ${operation ?? '–'}  `,
        paint(String(status)),
        ...(why === undefined ? [] : [`  ${why}`]),
        dim(`  ${Math.round(durationMs)} ms`),
      ])
    }
  }
}
