import {EFFECTS, type Effect} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {nameWords} from '../../sensitive/secret-names.ts'
import type {EffectChoice, ImportedOperation} from '../contract-form.ts'
import type {DocumentMethod, DocumentOperation} from '../document/document.ts'
import {parseText} from '../document/parse-text.ts'
import type {CarefulFields} from './field-kinds.ts'
import type {NamedOperation} from './name-operations.ts'

const BY_METHOD: Readonly<Record<DocumentMethod, Effect>> = {
  GET: 'read',
  HEAD: 'read',
  QUERY: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destroy',
}

/** What a path ends with that only shows a secret: `/pins/reveal`, `/cards/{id}/showpan`, `/users/{token}/ssn`. */
const SHOWS =
  /\/(?:(?:pins?|pans?|cvv2?|cvc2?|ssn|secrets?|sensitive|details)\/(?:reveal|show|view|display|decrypt)|(?:show|reveal|view|display|get)[-_]?(?:pan|pin|cvv|cvc|secrets?|sensitive|card-?number)|pan|ssn|cvv2?|cvc2?|government-?id|clear-?pan)$/i

/**
 * The default effect of an operation. What only shows a secret is a disclosure: a path that says so, or a read of one thing
 * that holds a secret. A list is not, since it masks what it shows.
 */
export function effectOf(
  {method, path}: Pick<DocumentOperation, 'method' | 'path'>,
  {secret}: Pick<CarefulFields, 'secret'>,
): Effect {
  const effect = BY_METHOD[method]
  if ((method === 'GET' || method === 'POST') && SHOWS.test(path)) return 'disclose'
  const isOfOne = secret.some(pointer => !pointer.includes('/*/'))
  return effect === 'read' && isOfOne ? 'disclose' : effect
}

/** What a name says of an operation that only looks, whatever its method. */
const LOOKS =
  /\b(?:search|query|queries|list|find|look ?up|get|read|fetch|filter|report|reports|export|preview|simulate|simulation|estimate|quote|calculate|check|validate|validation|verify|match|inquiry|enquiry|describe|show|view|status)\b/

/**
 * Whether the document contradicts an effect that asks for less than its own: by the method, unless the name of the
 * operation or the end of its path says that it only looks.
 */
export function isContradicted({
  method,
  path,
  operationId = '',
  documentEffect,
}: Pick<ImportedOperation, 'method' | 'path' | 'operationId' | 'documentEffect'>): boolean {
  if (documentEffect === undefined) return false
  if (documentEffect === 'disclose') return SHOWS.test(path)
  const end = path.split('/').findLast(part => part !== '' && !part.includes('{')) ?? ''
  return method === 'DELETE' || !LOOKS.test(nameWords(`${operationId} ${end}`).join(' '))
}

/**
 * The effects in a file: `createOrder: write`, `GET /orders: disclose`, `orders list: read`.
 *
 * @throws Failure INPUT_INVALID
 */
export function readEffects(text: string, file: string): readonly EffectChoice[] {
  const read = parseText(text, file)
  if (!isObject(read)) {
    throw new Failure('INPUT_INVALID', {
      message: `${file} holds no effects.`,
      hint: `Write a line for each operation, for example: createOrder: ${EFFECTS.join('|')}`,
      effect: 'none',
    })
  }
  return Object.entries(read).map(([operation, value]) => {
    const effect = EFFECTS.find(one => one === value)
    if (effect !== undefined) return [operation, effect]
    throw new Failure('INPUT_INVALID', {
      message: `${file}: the effect of ${operation.slice(0, 80)} must be one of ${EFFECTS.join(', ')}.`,
      effect: 'none',
    })
  })
}

/** The chosen effect for each operation. @throws Failure INPUT_INVALID for a choice that matches no operation */
export function matchEffects(
  choices: readonly EffectChoice[],
  named: readonly NamedOperation[],
): ReadonlyMap<NamedOperation, Effect> {
  const byName = new Map<string, NamedOperation>()
  for (const one of named) {
    const {method, path, operationId} = one.operation
    for (const name of [`${method} ${path}`, `${one.tag} ${one.name}`, operationId]) {
      if (name !== undefined) byName.set(name, byName.get(name) ?? one)
    }
  }
  return new Map(
    choices.map(([name, effect]) => {
      const found = byName.get(name)
      if (found !== undefined) return [found, effect]
      const meant = nearestName(name, byName.keys())
      throw new Failure('INPUT_INVALID', {
        message: `The effects name ${name.slice(0, 80)}, which is no operation of the document.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
        hint: 'Name an operationId, a method and path such as GET /orders, or a command such as orders list.',
        effect: 'none',
      })
    }),
  )
}
