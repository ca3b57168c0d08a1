import type {View} from '../output/index.ts'
import type {Context} from './context.ts'
import {isInteractive} from './prompt.ts'

/** A terminal's second screen (DEC private mode 1049): what stands there is gone without a trace in the scrollback. */
const OTHER_SCREEN = '\u001b[?1049h\u001b[H'
const BACK = '\u001b[H\u001b[2J\u001b[?1049l'

/** Long enough to copy a card number by hand, ms. */
const SHOWN_MS = 60_000
/** Where no key can be pressed, ms. */
const SHOWN_WITHOUT_KEYS_MS = 20_000

export interface Revealed<Result> {
  /** For the audit trail, which is written before anything is shown. */
  readonly operation: string
  /** What it belongs to, as `card:3004`. */
  readonly resources: readonly string[]
  readonly result: Result
  readonly view: View<Result>
  /** Leaves it on the screen. */
  readonly keep: boolean
}

/**
 * Shows what was asked for with `--reveal`: on a terminal for a while on a screen of its own, until a key is pressed;
 * on a pipe as it is.
 */
export async function reveal<Result>(context: Context, revealed: Revealed<Result>): Promise<void> {
  const {operation, resources, result, view, keep} = revealed
  const {stdout, env} = context.surroundings
  await context.recordReveal(operation, resources)
  const print = () => context.printer.data(result, view, {sensitive: true})
  if (keep || stdout.isTTY !== true || env.TERM === 'dumb') return print()
  stdout.write(OTHER_SCREEN)
  try {
    await print()
    await untilSeen(context)
  } finally {
    stdout.write(BACK)
  }
  context.printer.note('Shown, and cleared from the screen.')
}

async function untilSeen({surroundings, flags}: Context): Promise<void> {
  const {stdout, stdin, signal, sleep} = surroundings
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end)
  const keys = isInteractive(surroundings, flags['no-input'])
  const seconds = (keys ? SHOWN_MS : SHOWN_WITHOUT_KEYS_MS) / 1000
  stdout.write(`\n${keys ? 'Any key clears this' : 'This is cleared'}, at the latest after ${seconds} s.`)
  if (keys) {
    stdin.setRawMode?.(true)
    stdin.on('data', end).resume()
  }
  try {
    if (!signal.aborted) await sleep(seconds * 1000, over.signal).catch(() => undefined)
  } finally {
    signal.removeEventListener('abort', end)
    if (keys) {
      stdin.off('data', end).pause()
      stdin.setRawMode?.(false)
    }
  }
}
