import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {CallSummary} from '../../src/webhook/exchange.ts'
import {
  type Exchange,
  openRecorder,
  openRecording,
  type Recorder,
  type RecordingTrouble,
} from '../../src/webhook/index.ts'
import {summaryOf} from '../../src/webhook/summary.ts'
import {callOf} from './calls.ts'

export const NOON = Date.UTC(2026, 5, 15, 12)
const DAY = 86_400_000

export interface RecordingRoom {
  readonly file: string
  readonly troubles: readonly RecordingTrouble[]
  recorder(options?: Partial<Parameters<typeof openRecorder>[0]>): Recorder
  /** Everything that is recorded, newest first, seen through a connection of its own. */
  recorded(): Exchange[]
}

/** A folder for a recording, gone after the test. */
export function recordingRoom(): RecordingRoom {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-recording-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  const file = join(folder, 'webhook', 'events.db')
  const troubles: RecordingTrouble[] = []
  return {
    file,
    troubles,
    recorder: options =>
      openRecorder({
        file,
        durability: 'process',
        keepMs: 30 * DAY,
        now: () => NOON,
        onTrouble: trouble => troubles.push(trouble),
        ...options,
      }),
    recorded: () => {
      using recording = openRecording(file)
      return [...recording.iterate()]
    },
  }
}

/** An exchange as the listener makes it: approved, `at` ms after noon. What it is about stands in the call. */
export function exchangeOf(
  number: number,
  {
    id = `call-${number}`,
    merchant = 'Kahvila Aino',
    amount = 100,
    currency = 'EUR',
    ...more
  }: Partial<Exchange['event'] & CallSummary> = {},
  at = number,
): Exchange {
  const body = callOf('contactless', id, {transactionAmount: {amount, currency}})
  body.merchantData.name = merchant
  return {
    event: {
      type: 'auth',
      event: `e_${String(number).padStart(6, '0')}`,
      at: NOON + at,
      durationMs: 3,
      ...summaryOf(body, 2000),
      outcome: 'approved',
      code: '00',
      by: 'approve',
      repeated: false,
      ...more,
    } as Exchange['event'],
    request: {method: 'POST', path: '/auth', body},
    reply: {status: 200, body: {transactionData: {authResponseCode: {code: '00'}}}},
    steps: [],
  }
}

/** Writes calls to a recording that stays when they are there. */
export async function recordInto(file: string, ...exchanges: readonly Exchange[]): Promise<void> {
  const onTrouble = ({kind}: RecordingTrouble) => {
    throw new Error(`${file}: ${kind}`)
  }
  const recorder = openRecorder({file, durability: 'process', keepMs: 1e12, now: Date.now, onTrouble})
  for (const exchange of exchanges) await recorder.record(exchange)
  await recorder.close()
}
