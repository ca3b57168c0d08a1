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
    return read(text)
  },
})

export const requiredArg = (description: string) => Args.string({...argument(description), required: true})

export const optionalArg = (description: string) => Args.string(argument(description))

export const severalArgs = (description: string) => Args.string({...argument(description), multiple: true})

/** In place of an id: the newest request, job, call or batch. */
export const LAST = 'last'

interface IdOptions {
  /** What it is called, `Id` by default. */
  readonly name?: string
  /** That it may be `last`, and which one that is, unless `more` says so: `the newest`. */
  readonly last?: string | true
  /** The end of the description, with what is before it: `; or of a proposal`. */
  readonly more?: string
}

/** @param of with its article: `the card`. */
const id = (of: string, {name = 'Id', last, more = ''}: IdOptions = {}) =>
  argument(`${name} of ${of}${typeof last === 'string' ? `, or ${LAST} for ${last}` : ''}${more}`, text =>
    idIn(text.trim(), of, last !== undefined),
  )

export const idArg = (of: string, options?: IdOptions) => Args.string({...id(of, options), required: true})

export const severalIdArgs = (of: string, options?: IdOptions) =>
  Args.string({...id(of, options), required: true, multiple: true})

export const optionalIdArg = (of: string, options?: IdOptions) => Args.string(id(of, options))

/** Words that people type for an id that they don't have at hand. No service has them as ids. */
const NEWEST = /^(?:last|latest|newest)$/i
const NO_ID = /^(?:last|latest|newest|recent|previous|first|oldest|all)$/i

/**
 * Such a word never reaches the service as an id: it is `last` where that is known, and otherwise refused.
 *
 * @throws Failure USAGE
 */
function idIn(text: string, of: string, knowsLast: boolean): string {
  if (!NO_ID.test(text)) return text
  if (knowsLast && NEWEST.test(text)) return LAST
  throw new Failure('USAGE', {
    message: `"${text}" is not the id of ${of.replace(/^the (?=[aeiou])/, 'an ').replace(/^the /, 'a ')}. Nothing was sent.`,
    hint: knowsLast
      ? `For the newest: ${LAST}.`
      : advice`Pass the id itself. What was done from here, with ids: ${cardctl('requests', 'list')}`,
    effect: 'none',
  })
}

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

/** A flag whose value is an id, `of` what: `a card`. */
export const idFlag = Flags.custom<string, {of?: string}>({
  parse: async (text, _, {name, of}) => {
    if (text.trim() === '') throw new Failure('USAGE', {message: `--${name} is empty.`})
    // As pasted.
    return of === undefined ? text.trim() : idIn(text.trim(), of, false)
  },
})

/** A flag whose value is a currency: its ISO 4217 code in any case, or its name. */
export const currencyFlag = Flags.custom<string>({
  parse: async text => readCurrency(text),
})
