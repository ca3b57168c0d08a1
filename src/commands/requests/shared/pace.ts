import {confirm} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {type KeptPause, type PauseFacts, paceOf, withKeptPause} from '../../../cli/pace.ts'
import {detail} from '../../../output/detail.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import type {View} from '../../../output/view.ts'
import {dayTime} from '../../../output/when.ts'

interface ShownPace {
  readonly service: string
  /** The rate of a bulk run without `--rate`, in words. */
  readonly rate: string
  /** Null if nobody has to wait. */
  readonly paused: PauseFacts | null
  /** A pause was ended now. */
  readonly cleared: boolean
}

/** The rate, and the pause that is kept for it. */
export async function showPace(context: Context, {clear}: {readonly clear: boolean}): Promise<ShownPace> {
  const {words: service} = await context.service.identity()
  return withKeptPause(context, async kept => {
    const {words: rate} = await paceOf(context, undefined)
    const paused = kept.now ?? null
    if (!clear || paused === null) return {service, rate, paused, cleared: false}
    await end(context, kept)
    return {service, rate, paused: null, cleared: true}
  })
}

async function end(context: Context, {clear}: KeptPause): Promise<void> {
  const {profile} = await context.service.chosen()
  if (profile.kind === 'live')
    await confirm(context, {
      place: await context.service.place(),
      action: 'end the pause that the service asked for',
      consequence: 'All runs send again. A service that is overloaded may refuse or block you.',
    })
  await clear()
}

export const paceView: View = (pace, context) => {
  const until = textAt(pace, 'paused.until')
  return detail(
    {
      title: `Rate of ${textAt(pace, 'service')}`,
      rows: [
        ['Bulk runs', textAt(pace, 'rate')],
        [
          'Paused',
          until === ''
            ? `no${fieldAt(pace, 'cleared') === true ? '; the pause was ended' : ''}`
            : `until ${dayTime(Date.parse(until), context)}: ${textAt(pace, 'paused.why')}`,
        ],
      ],
    },
    context,
  )
}
