import type {Effect} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {ErrorCode} from '../errors/registry.ts'
import type {ListView, View} from '../output/index.ts'
import type {Context} from './context.ts'

const USUAL = '2s'
/** What a person can follow, and a service should be asked. */
const SHORTEST_MS = 500

/** `--watch` alone means `--watch=2s`: oclif knows no flag with an optional value. */
export function withWatchTime(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    if (word !== '--watch' || (end !== -1 && at > end)) return word
    const next = argv[at + 1] ?? ''
    return /^\d+(\.\d+)?(ms|s|m|h|d)$/.test(next) ? word : `--watch=${USUAL}`
  })
}

/** @throws Failure USAGE, in the words of what the command does. */
export function refuseWatch(effects: ReadonlySet<Effect>): never {
  const isDisclosure = effects.has('disclose')
  throw new Failure('USAGE', {
    message: isDisclosure
      ? '--watch is not allowed for commands that disclose secrets.'
      : '--watch is only for commands that read; this one changes something.',
    hint: isDisclosure ? 'Each look would be another disclosure. Leave --watch out.' : 'Leave --watch out.',
    effect: 'none',
  })
}

/** Whether a read can be repeated so often, and shown here. @throws Failure USAGE */
export function checkWatch({surroundings, outputOptions}: Context, everyMs: number | undefined): void {
  if (everyMs === undefined) return
  if (everyMs < SHORTEST_MS) {
    throw new Failure('USAGE', {
      message: `--watch must be at least ${SHORTEST_MS}ms.`,
      hint: 'For example: --watch 2s',
      effect: 'none',
    })
  }
  if (surroundings.stdout.isTTY === true || outputOptions.format === 'ndjson') return
  throw new Failure('USAGE', {
    message: '--watch needs a terminal, or -o ndjson.',
    hint: 'Add -o ndjson to print each changed result as a line, or leave --watch out.',
    effect: 'none',
  })
}

/** What a look gives: a result, or the items of a list. */
export type Looked<Result> = Promise<Result> | AsyncIterable<unknown>

/** Failures that may pass. Any other would come again. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_FAILED',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TIMED_OUT',
])

/**
 * Repeats a read until Ctrl-C, which ends it without an error, or until nobody reads the output.
 *
 * @throws Failure of a look that would fail again
 */
export async function watchRead<Result>(
  {printer, surroundings}: Context,
  everyMs: number,
  read: () => Looked<Result>,
  view: View<Result> | ListView,
): Promise<void> {
  const {sleep, signal} = surroundings
  const watched = await printer.watch(everyMs)
  let isWarned = false
  const warnOnce = ({code, message, details}: Failure): void => {
    if (!isWarned) printer.warn(message, {code, ...details.data})
    isWarned = true
  }
  try {
    while (!printer.closed) {
      try {
        const seen = read()
        const result = 'then' in seen ? await seen : await allOf(seen, warnOnce)
        await watched.show(result, view as View)
      } catch (error) {
        if (!(error instanceof Failure) || !PASSING.has(error.code)) throw error
        watched.failed(error)
      }
      await sleep(everyMs, signal)
      // A sleep may end with the signal, or before it.
      signal.throwIfAborted()
    }
  } catch (error) {
    if (signal.reason !== 'SIGINT') throw error
  } finally {
    watched.end()
  }
}

/** The items of a list. One that isn't whole is shown as far as it goes. */
async function allOf(items: AsyncIterable<unknown>, warn: (failure: Failure) => void): Promise<unknown[]> {
  const all: unknown[] = []
  try {
    for await (const item of items) all.push(item)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'LIST_INCOMPLETE') throw error
    warn(error)
  }
  return all
}
