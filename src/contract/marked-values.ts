import type {AnyInput, Operation} from './operation.ts'
import {membersNamed, plainWord} from './plain-names.ts'

/** A value with a warning in the contract. */
export interface MarkedValue {
  readonly value: string
  readonly warning: string
}

/**
 * The values in a request that can't be undone, without duplicates. A service may be lenient about capital letters,
 * blanks and signs, take a number for the place of a value in its list, or look into a list or object, so these checks
 * are too: what is no word may be any of the values.
 */
export function irreversibleIn(
  {irreversible}: Pick<Operation, 'irreversible'>,
  input: AnyInput,
): readonly MarkedValue[] {
  const found = irreversible.flatMap(({pointer, values, warning}) =>
    inputAt(input, pointer).flatMap(given =>
      values.filter(value => couldBe(given, value)).map(value => [value, {value, warning}] as const),
    ),
  )
  return [...new Map(found).values()]
}

/** The contract's warnings about values in a request that do something unexpected, without duplicates. */
export function hazardsIn({hazards}: Pick<Operation, 'hazards'>, input: AnyInput): readonly string[] {
  const found = hazards.filter(({pointer, value}) =>
    inputAt(input, pointer).some(given => String(given) === String(value)),
  )
  return [...new Set(found.map(({warning}) => warning))]
}

function couldBe(given: unknown, value: string): boolean {
  if (given === null) return false
  const word = typeof given === 'string' ? plainWord(given) : ''
  return word === plainWord(value) || (given !== '' && !/\p{L}/u.test(word))
}

/** A mark points into the body, or names a path parameter: `path:NAME`. Its member counts wherever the body has it. */
function inputAt(input: AnyInput, pointer: string): readonly unknown[] {
  if (!pointer.startsWith('path:'))
    return membersNamed(input.body, pointer.slice(pointer.lastIndexOf('/') + 1))
  const value = input.path[pointer.slice('path:'.length)]
  return value === undefined ? [] : [value]
}
