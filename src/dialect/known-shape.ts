import type {Shape as Known} from '../contract/shape.ts'
import type {Location} from './dialect-file.ts'
import {stepsOf} from './pointer.ts'

/** What the contract says of a member; `unknown` below what it doesn't describe, undefined for one that it doesn't have. */
export function shapeAt(shape: Known, location: Location): Known | undefined {
  let at: Known = shape
  for (const step of stepsOf(location)) {
    if (typeof at !== 'object') return 'unknown'
    const inside: Known | undefined =
      'items' in at
        ? at.items
        : 'members' in at && typeof step === 'string'
          ? at.members.get(step)
          : 'unknown'
    if (inside === undefined) return undefined
    at = inside
  }
  return at
}
