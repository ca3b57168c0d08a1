import type {Context} from '../../../cli/context.ts'
import {usualMix} from '../../../contract/scenarios.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {counted} from '../../../money/amount.ts'
import {
  type CardFacts,
  canSend,
  type Exchange,
  kindOf,
  madeUpCards,
  type Replayable,
  replayable,
  type Share,
  scenarioCall,
  someCard,
  type Translator,
  withId,
} from '../../../webhook/index.ts'
import {chooseScenario} from './choose-scenario.ts'
import {exportedCalls} from './exported-calls.ts'
import {isDatabase, withRecording} from './recording.ts'
import {warnOfMasked} from './replay.ts'

/** The calls of a run. */
export interface BenchMix {
  readonly mix: readonly Share[]
  /** Calls like those of the run: one of each scenario, or all recorded ones. */
  readonly samples: readonly unknown[]
  /** The next call of a share. */
  makeCall(name: string): unknown
}

interface MixFlags {
  readonly mix?: string | undefined
  readonly from?: string | undefined
  readonly cards: number
}

const USUAL_MIX: readonly Share[] = Object.entries(usualMix).map(([name, weight]) => ({name, weight}))

/** More would only take memory: they are sent again in turn. */
const MOST_RECORDED = 10_000

/**
 * By default what the service can send of a usual day.
 *
 * @throws Failure USAGE, INPUT_INVALID; NOT_FOUND if the recording has no call to send
 */
export async function chooseMix(
  context: Context,
  {mix, from, cards}: MixFlags,
  translator: Translator | undefined,
): Promise<BenchMix> {
  if (from !== undefined) return recordedMix(context, from)
  const {now, random, newKey: newId} = context.surroundings
  const nextCard = madeUpCards(cards)
  const callOf = (name: string, card: CardFacts) =>
    scenarioCall({scenario: chooseScenario(name), card, now, newId, random})
  const shares =
    mix === undefined
      ? USUAL_MIX.filter(({name}) => canSend(callOf(name, someCard), translator))
      : parseMix(mix)
  return {
    mix: shares,
    samples: shares.map(({name}) => callOf(name, someCard)),
    makeCall: name => callOf(name, nextCard()),
  }
}

/** The recorded calls of each kind in turn, the oldest first, as often as they were recorded. */
async function recordedMix(context: Context, file: string): Promise<BenchMix> {
  const calls: Replayable[] = []
  const read = async (exchanges: AsyncIterable<Exchange> | Iterable<Exchange>) => {
    for await (const exchange of exchanges) {
      const call = replayable(exchange)
      if (call !== undefined && calls.push(call) === MOST_RECORDED) return
    }
  }
  if (await isDatabase(file))
    await withRecording(context, {recording: file}, async recording => read(recording.iterate()))
  else await read(exportedCalls(file, context.surroundings))
  if (calls.length === 0) {
    throw new Failure('NOT_FOUND', {
      message: `No call of ${file} to send again.`,
      hint: advice`See ${cardctl('webhook', 'events', 'list')}, or send scenarios with --mix.`,
    })
  }
  const {printer, surroundings} = context
  printer.note(`Sends ${counted(calls.length, 'recorded call')} in turn.`)
  warnOfMasked(printer, calls)
  const byKind = Map.groupBy(calls.reverse(), ({call}) => kindOf(call))
  const next = new Map<string, () => Replayable | undefined>(
    [...byKind].map(([kind, group]) => [kind, inTurn(group)]),
  )
  return {
    mix: [...byKind].map(([name, group]) => ({name, weight: group.length})),
    samples: calls.map(({call}) => call),
    makeCall: name => {
      const call = next.get(name)?.()
      if (call === undefined) throw new Error('There is no such kind.')
      return withId(call.call, surroundings.newKey())
    },
  }
}

/** Each of them, again and again. */
function inTurn<Item>(items: readonly Item[]): () => Item | undefined {
  let at = 0
  return () => items[at++ % items.length]
}

function parseMix(text: string): readonly Share[] {
  const shares = text.split(',').map(part => {
    const [, name = '', weight = '1'] = /^([\w-]+)(?:=([1-9]\d{0,3}))?$/.exec(part.trim()) ?? []
    if (name === '') {
      throw new Failure('USAGE', {
        message: '--mix takes scenarios with weights from 1 to 9999, for example contactless=3,atm.',
      })
    }
    chooseScenario(name)
    return {name, weight: Number(weight)}
  })
  if (new Set(shares.map(({name}) => name)).size < shares.length) {
    throw new Failure('USAGE', {message: '--mix has a scenario twice.'})
  }
  return shares
}
