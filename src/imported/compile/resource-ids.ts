import {nameWords, singular} from '../../sensitive/secret-names.ts'
import type {DocumentOperation} from '../document/document.ts'

/** Resources that are a credential themselves: who knows their id can act. */
const CREDENTIALS =
  /^(?:(?:access|refresh|o?auth|api|bearer|client|user|one ?time|push|e?mail|phone|sms|password|account|magic|sign ?in|log ?in|web ?hook|signing) ?)*(?:session|token|key|secret|credential|invitation|invite|link|verification|otp|password|reset|activation|confirmation|login|unsubscribe|o?auth|authori[sz]ation code)s?$/

/** Without spaces, because some write `cardproducts` in a path and `card_product_token` in a body. */
export const joined = (words: readonly string[]): string => words.map(singular).join('')

/** Where an id was found in the document. */
export interface IdPlace {
  readonly parameter: string
  readonly path: string
}

/**
 * The ids of resources, by the paths of a document: `/users/{token}` says that `token` names a user, and so does
 * `user_token` elsewhere.
 */
export class ResourceIds {
  /** Resource → its parameter → the path. */
  readonly #ids = new Map<string, Map<string, IdPlace>>()
  /** The word that the document calls most ids by, such as token. */
  readonly usual: string | undefined

  constructor(operations: readonly DocumentOperation[]) {
    for (const {path} of operations) {
      for (const {resource, parameter} of parametersIn(path)) {
        if (isCredential(resource)) continue
        const own = this.#ids.get(joined(resource)) ?? new Map<string, IdPlace>()
        this.#ids.set(joined(resource), own)
        const name = joined(nameWords(parameter))
        if (!own.has(name)) own.set(name, {parameter, path})
      }
    }
    this.usual = usualWord([...this.#ids.values()].flatMap(own => [...own.values()]))
  }

  /** Whether this path parameter is the id of a resource that isn't a credential. */
  isIdIn(path: string, parameter: string): boolean {
    const found = parametersIn(path).find(one => one.parameter === parameter)
    return found !== undefined && !isCredential(found.resource)
  }

  knows(resource: readonly string[]): boolean {
    return resource.length > 0 && this.#ids.has(joined(resource))
  }

  /**
   * The id that a field holds, if it holds one.
   *
   * @param around the resources that the field may belong to, as words: of the path, of the field around it.
   */
  find(name: string, around: readonly (readonly string[])[]): IdPlace | undefined {
    const words = joined(nameWords(name))
    for (const resource of around) {
      const own = this.#ids.get(joined(resource))
      const id = joined(resource)
      const rest = words.startsWith(id) ? words.slice(id.length) : words
      const found = own?.get(words) ?? own?.get(rest) ?? own?.get(id + rest)
      if (found) return found
    }
    // A longer name first says whose id it is: funding_source_token, parent_user_token.
    for (const [resource, parameters] of this.#ids) {
      for (const [parameter, place] of parameters) {
        const whole = parameter.startsWith(resource) ? parameter : resource + parameter
        if (resource !== '' && words.endsWith(whole)) return place
        if (words === parameter && nameWords(place.parameter).length > 1) return place
      }
    }
    return undefined
  }
}

/** How many ids must end with the same word; they must also be more than half of all. */
const USUAL = 5

function usualWord(places: readonly IdPlace[]): string | undefined {
  const ends = Map.groupBy(places, ({parameter}) => singular(nameWords(parameter).at(-1) ?? ''))
  const [most] = [...ends].toSorted(([, a], [, b]) => b.length - a.length)
  return most && most[1].length >= USUAL && most[1].length > places.length / 2 ? most[0] : undefined
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter(segment => segment !== '')
const isParameter = (segment: string): boolean => segment.includes('{')

function parametersIn(path: string): {resource: readonly string[]; parameter: string}[] {
  const segments = segmentsOf(path)
  return segments.flatMap((segment, at) => {
    const before = segments.slice(0, at).findLast(one => !isParameter(one))
    return [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, parameter = '']) => ({
      resource: nameWords(before ?? '').map(singular),
      parameter,
    }))
  })
}

/** Whether a resource, or an object in a body, is a credential itself. */
export const isCredential = (resource: readonly string[]): boolean => CREDENTIALS.test(resource.join(' '))
