import {nearestName} from '../errors/nearest-name.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import type {Shape} from './shape.ts'
import {quotableName, type Violation} from './violation.ts'

/**
 * The fields of a value that the contract doesn't know, each with the field that was probably meant, or with all known
 * ones. A service may add fields; in a file that a user wrote they are mostly typing mistakes.
 */
export function unknownFields(
  shape: Shape,
  value: unknown,
  pointer = '',
  what = 'the answer',
): readonly Violation[] {
  if (typeof shape !== 'object' || !('members' in shape)) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const names = [...shape.members.keys()]
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const inside = shape.members.get(name)
    if (inside) return unknownFields(inside, member, pointerBelow(pointer, name), name)
    const shown = quotableName(name)
    const suggestion = nearestName(name, names)
    const known = suggestion === undefined ? `, which has ${names.join(', ')}` : ''
    return {
      pointer: pointerBelow(pointer, shown),
      message: `${shown} is not a field of ${what}${known}`,
      ...(suggestion === undefined ? {} : {suggestion}),
    }
  })
}

/** A violation as one sentence without a full stop. */
export const describeViolation = ({
  message,
  suggestion,
}: Pick<Violation, 'message' | 'suggestion'>): string =>
  suggestion === undefined ? message : `${message}; did you mean ${suggestion}`
