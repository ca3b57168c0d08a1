import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'

/** The flag that says: a number on the command line is not a card number. */
export const NOT_A_CARD_NUMBER = 'not-a-card-number'

/**
 * Checks a command line as it was typed, before anything else happens. A card number is refused wherever it is: in an
 * argument, the value of a flag or an unknown place.
 *
 * @throws Failure SENSITIVE_IN_ARGV
 */
export function refuseCardNumbers(argv: readonly string[]): void {
  if (isWaived(argv)) return
  for (const {text, at} of stretches(argv)) {
    if (!spellings(text).some(holdsCardNumber)) continue
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: `${placeOf(argv, at)} looks like a card number or contains one. It is now in your shell's history and in the list of processes. Nothing was sent.`,
      hint: advice`Remove the line from the history. To find a card by its number: ${cardctl('find', '--card-number')} or ${cardctl('cards', 'get', '--pan-stdin')}. Pass a body that contains one with --data @FILE or --data -. If it is not a card number, add --${NOT_A_CARD_NUMBER}.`,
      effect: 'none',
    })
  }
}

function isWaived(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const flag = argv.indexOf(`--${NOT_A_CARD_NUMBER}`)
  return flag >= 0 && (end < 0 || flag < end)
}

/** Each word, and consecutive words of digits as one: the quotes around a number in groups may be missing. */
function* stretches(argv: readonly string[]): Generator<{readonly text: string; readonly at: number}> {
  for (const [at, text] of argv.entries()) yield {text, at}
  for (let at = 0; at < argv.length; at++) {
    const from = at
    while (/^\p{Nd}+$/u.test(argv[at] ?? '')) at++
    if (at - from > 1) yield {text: argv.slice(from, at).join(' '), at: from}
  }
}

/** As typed, and without percent-encoding and JSON escapes. */
function spellings(text: string): readonly string[] {
  const percent = text.replace(/%([0-7][0-9a-f])/gi, characterOf).replaceAll('+', ' ')
  const json = text.replace(/\\u([0-9a-f]{4})/gi, characterOf)
  return [...new Set([text, percent, json])]
}

const characterOf = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

/** Where it is, without quoting it. */
function placeOf(argv: readonly string[], at: number): string {
  const flag = /^(--[a-z][a-z-]*)=/.exec(argv[at] ?? '')?.[1]
  if (flag !== undefined) return `The value of ${flag}`
  const before = /^(?:--[a-z][a-z-]*|-[a-zA-Z])$/.exec(argv[at - 1] ?? '')?.[0]
  return before === undefined ? `Argument ${at + 1} of the command line` : `What follows ${before}`
}
