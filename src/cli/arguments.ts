import * as Args from '@oclif/core/args'

/**
 * A positional argument. Stdin never fills it in: inside a `while read` loop that would swallow the loop's own input.
 */
export const requiredArg = (description: string) =>
  Args.string({description, required: true, ignoreStdin: true})

export const optionalArg = (description: string) => Args.string({description, ignoreStdin: true})
