import {maskText} from './mask-text.ts'

/** Several ids of a command to paste, which end where the next flag, a mark or the line does. */
const IDS =
  /\bcardctl(?: [a-z][a-z0-9-]{0,40}){1,4}((?: \d{1,12}){2,})(?=$|\n| [^\s\d]|[.,;:)](?:$|\s(?!\s*\d))|["'`])/gm
/** Groups of digits as card numbers are written. */
const AS_ON_CARD = /(?<!\d)\d{4} (?:\d{4} \d{4} \d{1,7}|\d{6} \d{4,5})(?!\d)/g

/**
 * `maskText` for a line of ours, which may hold a command to paste. Ids that stand side by side in it are no number
 * together, so each is looked at by itself; a masked one could not be run.
 */
export function maskLine(text: string): string {
  let masked = ''
  let place = 0
  for (const {0: command, 1: ids = '', index} of text.matchAll(IDS)) {
    if ((ids.match(AS_ON_CARD) ?? []).some(number => maskText(number) !== number)) continue
    const end = index + command.length
    const each = ids.split(' ').map(id => maskText(id))
    masked += maskText(text.slice(place, end - ids.length)) + each.join(' ')
    place = end
  }
  return masked + maskText(text.slice(place))
}
