import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'
import {checkNewName} from '../profiles/index.ts'

const argument = (description: string, read = (text: string): string => text) => ({
  description,
  // Stdin never fills it in: inside a `while read` loop that would swallow the loop's own input.
  ignoreStdin: true,
  parse: async (text: string, _: unknown, {name}: {name?: string}) => {
    const what = `The argument ${(name ?? '').toUpperCase()}`.trimEnd()
    if (text === '') throw new Failure('USAGE', {message: `${what} is empty.`})
    return read(text)
  },
})

export const requiredArg = (description: string) => Args.string({...argument(description), required: true})

export const optionalArg = (description: string) => Args.string(argument(description))

export const severalArgs = (description: string) => Args.string({...argument(description), multiple: true})

/** The name of a profile that is to be made. */
export const newProfileArg = (description: string) =>
  Args.string({
    ...argument(description, name => {
      checkNewName(name)
      return name
    }),
    required: true,
  })

/** A kind of thing in the sandbox, by one word or many: `price-lists` is `pricelist`. The contract knows which there are. */
export const stateKindArg = (description: string) =>
  Args.string({
    ...argument(description, word => singular(word.toLowerCase().replace(/[-_ ]/g, ''))),
    required: true,
  })

const singular = (word: string): string => word.replace(/(?<=ch)es$|s$/, '')

/** A flag that takes the id of something. */
export const idFlag = Flags.custom<string>({
  parse: async (text, _, {name}) => {
    if (text === '') throw new Failure('USAGE', {message: `--${name} is empty.`})
    return text
  },
})
