import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {FIELD_KINDS, type FieldKind} from '../contract-form.ts'
import {parseText} from '../document/parse-text.ts'

/**
 * What a file says about fields, by their names in lower case: `user_token: id`, or `user_token: {kind: id, why: …}` as
 * contract show --secrets prints it.
 *
 * @throws Failure INPUT_INVALID
 */
export function readFieldKinds(text: string, file: string): ReadonlyMap<string, FieldKind> {
  const read = parseText(text, file)
  if (!isObject(read)) throw unusable(`${file} says nothing about fields.`)
  return new Map(
    Object.entries(read).map(([name, value]) => {
      const said = isObject(value) ? value.kind : value
      const kind = FIELD_KINDS.find(one => one === said)
      if (kind === undefined)
        throw unusable(`${file}: ${name.slice(0, 80)} must be one of ${FIELD_KINDS.join(', ')}.`)
      return [name.toLowerCase(), kind]
    }),
  )
}

/** @throws Failure INPUT_INVALID for a choice about a field that the document doesn't have */
export function refuseUnused(unused: ReadonlySet<string>, known: Iterable<string>): void {
  const [name] = unused
  if (name === undefined) return
  const meant = nearestName(name, known)
  throw unusable(
    `--secrets names ${name.slice(0, 80)}, and no operation of the document has that field.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}

const unusable = (message: string): Failure =>
  new Failure('INPUT_INVALID', {
    message,
    hint: `Write a line for each field, for example: user_token: ${FIELD_KINDS.join('|')}`,
    effect: 'none',
  })
