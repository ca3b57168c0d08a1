import * as Args from '@oclif/core/args'

/**
 * A positional argument. Stdin never fills it in: inside a `while read` loop that would swallow the loop's own input.
 */
export const requiredArg = (description: string) =>
  Args.string({description, required: true, ignoreStdin: true})

/** A kind of thing in the sandbox, by one word or many: `price-lists` is `pricelist`. The contract knows which there are. */
export const stateKindArg = (description: string) =>
  Args.string({
    description,
    required: true,
    ignoreStdin: true,
    parse: async word => singular(word.toLowerCase().replace(/[-_ ]/g, '')),
  })

const singular = (word: string): string => word.replace(/(?<=ch)es$|s$/, '')

export const optionalArg = (description: string) => Args.string({description, ignoreStdin: true})
