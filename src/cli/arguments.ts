import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'
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

/** In place of an id: the newest request, job or call. */
export const LAST = 'last'

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
  parse: async (text, _, {name}) => {
    if (text.trim() === '') throw new Failure('USAGE', {message: `--${name} is empty.`})
    // As pasted.
    return text.trim()
  },
})

/** A flag whose value is a currency: its ISO 4217 code in any case, or its name. */
export const currencyFlag = Flags.custom<string>({
  parse: async text => readCurrency(text),
})
