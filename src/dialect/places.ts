import type {Location, Shape} from './dialect-file.ts'
import {type Mapping, ruleOf, shapeOf} from './map-members.ts'

/** Where one member of ours is in theirs. `*` stands for every item of a list. */
export interface MemberPlace {
  /** As in a dialect: `path:id`, `query:size`, or a pointer into the body. */
  readonly ours: Location
  /** Null for a value that is not from theirs. */
  readonly theirs: Location | null
  /** How the value is written there, if not as ours. */
  readonly as: string | null
}

/** The members that a compiled shape maps, with those of the shapes in it. */
export function placesOf(shape: Shape, mapping: Mapping, ours = '', theirs = ''): readonly MemberPlace[] {
  return Object.entries(shape).flatMap(([location, given]) => {
    const rule = ruleOf(given)
    const [here, there] = [ours + location, rule.at === undefined ? null : theirs + rule.at]
    const inside = rule.items ?? rule.shape
    if (inside !== undefined) {
      const step = rule.items === undefined ? '' : '/*'
      return placesOf(shapeOf(inside, mapping), mapping, here + step, (there ?? '') + step)
    }
    const as = rule.as ?? (rule.values === undefined ? null : 'values')
    return [{ours: here, theirs: there, as}]
  })
}

/** `/path/id` of a compiled shape as a file has it: `path:id`. */
export const writtenPlace = (pointer: Location): Location =>
  pointer.replace(/^\/body/, '').replace(/^\/(path|query|header)\//, '$1:')

/** A place with `*` for each index and each choice of an item. */
export const everyItem = (pointer: Location): Location =>
  pointer.replaceAll(/\/(?:\d+|\[[^\]]*\])(?=\/|$)/g, '/*')
