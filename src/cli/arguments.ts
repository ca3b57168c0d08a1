import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {readCurrency} from '../money/currency-name.ts'
import {checkNewName} from '../profiles/index.ts'

const argument = (description: string, read = (text: string): string => text.trim()) => ({
  description,
  // Never read from stdin: inside a `while read` loop that would consume the loop's own input.
  ignoreStdin: true,
  parse: async (text: string, _: unknown, {name}: {name?: string}) => {
    const what = `The argument ${(name ?? '').toUpperCase()}`.trimEnd()
    if (text.trim() === '') throw new Failure('USAGE', {message: `${what} is empty.`})
    return idIn(read(text), description)
  },
})

export const requiredArg = (description: string) => Args.string({...argument(description), required: true})

/** In place of an id: the newest request, job, call or batch. */
export const LAST = 'last'

/** Words that people type for an id that they don't have at hand. No service has them as ids. */
const NEWEST = /^(?:last|latest|newest)$/i
const WHAT_ID =
  /(?:^(?:Id|Trace id) of ((?:the|an?) [^;,.(]+?)|\bof (this (?:batch|card|bulk job)))(?=[;,.(]| to | or | and | again|$)/
const NO_ID = /^(?:last|latest|newest|recent|previous|first|oldest|all)$/i

/**
 * Such a word never reaches the service as an id: it is `last` where that is known, and otherwise refused.
 *
 * @param description of the argument or flag, which says what it is the id of, and whether it may be `last`
 * @throws Failure USAGE
 */
function idIn(text: string, description = ''): string {
  const [, of, ofThis] = WHAT_ID.exec(description) ?? []
  const what = of ?? ofThis
  if (what === undefined || !NO_ID.test(text)) return text
  const knowsLast = /\blast\b/.test(description)
  if (knowsLast && NEWEST.test(text)) return LAST
  throw new Failure('USAGE', {
    message: `"${text}" is not the id of ${what.replace(/^(?:the|this) (?=[aeiou])/, 'an ').replace(/^(?:the|this) /, 'a ')}. Nothing was sent.`,
    hint: knowsLast
      ? `For the newest: ${LAST}.`
      : advice`Pass the id itself. What was done from here, with ids: ${cardctl('requests', 'list')}`,
    effect: 'none',
  })
}

export const optionalArg = (description: string) => Args.string(argument(description))

export const severalArgs = (description: string) => Args.string({...argument(description), multiple: true})

/** The name of a new profile. */
export const newProfileArg = (description: string) =>
  Args.string({
    ...argument(description, name => {
      checkNewName(name)
      return name
    }),
    required: true,
  })

/**
 * A kind of thing in the sandbox, in singular or plural: `price-lists` is `pricelist`. The contract lists the kinds.
 */
export const stateKindArg = (description: string) =>
  Args.string({
    ...argument(description, word => singular(word.toLowerCase().replace(/[-_ ]/g, ''))),
    required: true,
  })

const singular = (word: string): string => word.replace(/(?<=ch)es$|s$/, '')

/** A flag whose value is an id. */
export const idFlag = Flags.custom<string>({
  parse: async (text, _, {name, summary}) => {
    if (text.trim() === '') throw new Failure('USAGE', {message: `--${name} is empty.`})
    // As pasted.
    return idIn(text.trim(), summary)
  },
})

/** A flag whose value is a currency: its ISO 4217 code in any case, or its name. */
export const currencyFlag = Flags.custom<string>({
  parse: async text => readCurrency(text),
})
