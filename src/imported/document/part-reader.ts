import {isObject} from '../../errors/is-object.ts'
import {maskWithin} from '../../sensitive/mask-text.ts'
import {
  type DocumentContent,
  type Fault,
  type FieldEncoding,
  pointerStep,
  type Schema,
  STYLES,
  text,
} from './document.ts'
import {BadReference, type Placed, type References} from './references.ts'
import type {SchemaFault, SchemaForms} from './schema-forms.ts'

export type Members = Readonly<Record<string, unknown>>
type Locate = (at: string) => Pick<Fault, 'file' | 'pointer' | 'line'>

/** A fault that leaves the operation out. */
export class Unusable extends Error {
  readonly at: string
  constructor(at: string, message: string) {
    super(message)
    this.at = at
  }
}

/** Reads what operations have in common: references, media types, schemas. Collects faults. */
export class PartReader {
  readonly faults: Fault[] = []
  /** The operation that is being read, for its faults. */
  operation = ''
  readonly #references: References
  readonly #forms: SchemaForms
  readonly #locate: Locate
  /** Faults in named schemas that were already reported. */
  readonly #reported = new Set<string>()

  constructor(references: References, forms: SchemaForms, locate: Locate) {
    this.#references = references
    this.#forms = forms
    this.#locate = locate
  }

  /** The JSON pointer of a part of the document. */
  pointerOf({at}: Placed): string {
    return this.#locate(at).pointer
  }

  /** The media types of a body, a response or a parameter. @throws Unusable */
  contents(given: Placed, consequence: Fault['consequence']): DocumentContent[] {
    if (given.value === undefined) return []
    const {value, at} = this.follow(given)
    if (!isObject(value)) throw new Unusable(at, '"content" must be an object')
    return Object.entries(value).map(([mediaType, held]) => {
      const {value: content, at: here} = this.follow({value: held, at: `${at}/${pointerStep(mediaType)}`})
      if (!isObject(content)) throw new Unusable(here, 'a media type must be an object')
      const item = content.schema ?? content.itemSchema
      const schema =
        item === undefined ? undefined : this.schema({value: item, at: `${here}/schema`}, consequence)
      const example = exampleOf(content)
      return {
        mediaType,
        ...(schema === undefined ? {} : {schema}),
        ...(example === undefined ? {} : {example}),
        ...ifGiven('encoding', encodingOf(content.encoding)),
      }
    })
  }

  /** @throws Unusable if the schema has a fault and what it describes is left out for that. */
  schema(given: Placed, consequence: Fault['consequence']): Schema {
    const faults: SchemaFault[] = []
    const schema = this.#forms.form(given, faults)
    for (const {at, message} of faults) {
      if (consequence === 'left out') throw new Unusable(at, message)
      this.report(at, message, consequence)
    }
    if (this.#forms.faults.size === 0) return schema
    for (const name of this.#forms.reached(schema)) {
      const [fault] = this.#forms.faults.get(name) ?? []
      if (fault === undefined) continue
      if (consequence === 'left out') throw new Unusable(fault.at, fault.message)
      if (this.#reported.has(name)) continue
      this.#reported.add(name)
      this.report(fault.at, fault.message, consequence)
    }
    return schema
  }

  /** What a reference leads to. @throws Unusable */
  follow(placed: Placed): Placed {
    try {
      return this.#references.follow(placed)
    } catch (error) {
      if (error instanceof BadReference) throw new Unusable(placed.at, error.message)
      throw error
    }
  }

  /** Reports a fault that leaves the operation out; throws any other error again. */
  leaveOut(error: unknown): void {
    if (!(error instanceof Unusable)) throw error
    this.report(error.at, error.message, 'left out')
  }

  report(at: string, message: string, consequence: Fault['consequence']): void {
    this.faults.push({...this.#locate(at), message, consequence, operation: this.operation})
  }
}

export function exampleOf({example, examples}: Members): unknown {
  if (example !== undefined) return example
  if (!isObject(examples)) return undefined
  const [first] = Object.values(examples)
  return isObject(first) ? (first.value ?? first.dataValue) : undefined
}

function encodingOf(given: unknown): Readonly<Record<string, FieldEncoding>> | undefined {
  if (!isObject(given)) return undefined
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!isObject(value)) return []
      const style = STYLES.query.find(one => one === value.style)
      return [
        [
          name,
          {
            ...ifGiven('contentType', text(value.contentType)),
            ...ifGiven('style', style),
            ...(typeof value.explode === 'boolean' ? {explode: value.explode} : {}),
          },
        ],
      ]
    }),
  )
}

/** An object with this field, or without it if there is no value. */
export const ifGiven = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): {[Each in Name]?: Value} => (value === undefined ? {} : ({[name]: value} as {[Each in Name]?: Value}))

/** A name of the document as messages show it: masked, and cut after 80 characters. */
export const shown = (name: string): string => maskWithin(name, 80)
