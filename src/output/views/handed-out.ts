import {jsonLine} from '../../rows/index.ts'
import {wrap} from '../lay-out.ts'
import {flatten} from '../members.ts'
import {isPlainObject} from '../plain.ts'
import {dim, strong} from '../styled.ts'
import {painted, sentence, type View, type ViewContext} from '../view.ts'

/**
 * Values that a command exists to hand out (ciphertexts, tokens, payloads): each whole under its name, on one line however
 * wide the terminal is, for a line break of ours would be copied along.
 */
export function handedOut(title: string): View {
  return (reply, context) => {
    const members = isPlainObject(reply) ? Object.entries(flatten(reply)) : []
    const values = members.filter(([, value]) => value !== null && value !== undefined)
    const parts = values.map(
      ([name, value]) => `${sentence(dim(name), context)}\n${whole(textOf(value), context)}`,
    )
    return [sentence(strong(title), context), ...parts].join('\n')
  }
}

/** Text as it is; a list, which none of these values is today, as JSON. */
const textOf = (value: unknown): string => (typeof value === 'object' ? jsonLine(value) : String(value))

const whole = (text: string, context: ViewContext) =>
  wrap(text, Number.POSITIVE_INFINITY)
    .map(line => painted(line, context))
    .join('\n')
