import {pointerBelow} from '../../sensitive/json-pointer.ts'
import type {Schema} from '../document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from '../shapes.ts'
import {conceptsOf} from './concepts.ts'

/** A member of a body: a value, a list, or an object that is one value to us, such as year and month. */
export interface Member {
  readonly pointer: string
  readonly name: string
  readonly kind: 'value' | 'list' | 'month' | 'object'
  /** What its name and those around it speak of, without the resource that has it. */
  readonly words: ReadonlySet<string>
  readonly types: ReadonlySet<string>
  readonly values: readonly unknown[]
  readonly limits: SchemaShape['limits']
  readonly required: boolean
  readonly items?: Schema
}

const DEEPEST = 4
const MOST = 300

/** The members of an object, with those of the objects in it. @param about what the object is: words that say nothing there. */
export function membersOf(
  schema: Schema | undefined,
  schemas: Schemas,
  about: ReadonlySet<string>,
): readonly Member[] {
  const found: Member[] = []
  const walk = (
    shape: SchemaShape,
    pointer: string,
    around: ReadonlySet<string>,
    isRequired: boolean,
    depth: number,
  ): void => {
    for (const [name, {schema: below, required}] of shape.members) {
      if (found.length >= MOST) return
      // A step in brackets chooses an item.
      if (name.startsWith('[') || name === '') continue
      const inside = shapeOf(below, schemas)
      const said = conceptsOf(name)
      const own = [...said].filter(word => !about.has(word))
      const words = new Set([...around, ...(own.length === 0 ? said : own)])
      const isObject = inside.types?.has('object') === true || inside.members.size > 0
      const isMonth = inside.members.has('year') && inside.members.has('month')
      const kind = inside.items !== undefined ? 'list' : isMonth ? 'month' : isObject ? 'object' : 'value'
      const member: Member = {
        pointer: pointerBelow(pointer, name),
        name,
        kind,
        words,
        types: new Set([...(inside.types ?? [])].filter(type => type !== 'null')),
        values: (inside.values ?? []).filter(value => value !== null),
        limits: inside.limits,
        required: required && isRequired,
        ...(inside.items === undefined ? {} : {items: inside.items}),
      }
      found.push(member)
      if (kind === 'object' && depth < DEEPEST)
        walk(inside, member.pointer, words, member.required, depth + 1)
    }
  }
  walk(shapeOf(schema, schemas), '', new Set(), true, 0)
  return found
}
