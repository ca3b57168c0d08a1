import type {Violation} from '../contract/violation.ts'
import {Failure} from '../errors/failure.ts'

/**
 * Names the flag that a user typed instead of the field that it sets: `--credit-limit must be a number`.
 *
 * @param fields the path of the field of each flag: `{'--credit-limit': 'creditLimit'}`.
 * @param given the parsed flags, by name.
 * @returns other errors unchanged.
 */
export function inFlags(
  error: unknown,
  fields: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof Failure) || error.code !== 'CONTRACT_VIOLATION') return error
  const {violations = [], lines = []} = (error.details.data ?? {}) as {
    readonly violations?: readonly Violation[]
    readonly lines?: readonly string[]
  }
  const named = lines.map((line, at) => {
    const field = violations[at]?.pointer.slice(1).replaceAll('/', '.') ?? ''
    const flag = Object.keys(fields).find(
      name => fields[name] === field && given[name.slice('--'.length)] !== undefined,
    )
    const isAboutValue = line.startsWith(`${field} `) && !line.startsWith(`${field} is not a field`)
    return flag !== undefined && isAboutValue ? flag + line.slice(field.length) : line
  })
  if (named.every((line, at) => line === lines[at])) return error
  const [first = ''] = named
  return error.with({
    ...(named.length === 1 ? {message: first} : {}),
    hint: 'See --help.',
    data: {...error.details.data, lines: named},
  })
}
