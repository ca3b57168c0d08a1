import {maskWithin} from '../../sensitive/mask-text.ts'
import type {LoadedFiles} from './load-files.ts'
import {withoutHash} from './load-files.ts'

/** A value of a document and its place. */
export interface Placed {
  readonly value: unknown
  /** URL of its file, `#`, JSON pointer. */
  readonly at: string
}

/** A reference that leads nowhere. */
export class BadReference extends Error {}

const MAX_CHAIN = 64

/** Follows references through the files that were loaded. */
export class References {
  readonly #files: LoadedFiles
  readonly #found = new Map<string, Placed>()

  constructor(files: LoadedFiles) {
    this.#files = files
  }

  /** The value itself, or the final target of its `$ref`. @throws BadReference */
  follow(placed: Placed): Placed {
    let here = placed
    for (let links = 0; isReference(here.value); links++) {
      if (links === MAX_CHAIN) throw new BadReference('the reference leads to itself')
      here = this.target(here.value.$ref, here.at)
    }
    return here
  }

  /** The target of one reference, which may be another reference. @throws BadReference */
  target(reference: string, from: string): Placed {
    const at = absolute(reference, from)
    const known = this.#found.get(at)
    if (known !== undefined) return known
    const file = withoutHash(at)
    const refused = this.#files.refused.get(file)
    if (refused !== undefined)
      throw new BadReference(`the reference ${shown(reference)} cannot be followed: ${refused}`)
    const placed = this.#get(at, reference)
    this.#found.set(at, placed)
    return placed
  }

  /** Follows one reference at a time, so that the next one is resolved from its own place. */
  #get(at: string, reference: string): Placed {
    const nothing = new BadReference(`the reference ${shown(reference)} leads to nothing`)
    try {
      const found = this.#files.refs._resolve(at, '', undefined, undefined, false)
      // The library returns a symbol for a null value.
      if (found) return {value: typeof found.value === 'symbol' ? null : found.value, at: found.path}
    } catch {
      throw nothing
    }
    throw nothing
  }
}

export const isReference = (
  value: unknown,
): value is {readonly $ref: string; readonly [name: string]: unknown} =>
  typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'

function absolute(reference: string, from: string): string {
  try {
    const {href} = new URL(reference, from)
    return href.includes('#') ? href : `${href}#`
  } catch {
    throw new BadReference(`the reference ${shown(reference)} is not a URL`)
  }
}

const shown = (reference: string): string => maskWithin(reference, 120)
