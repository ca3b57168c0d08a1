import {fieldSchemas, type JsonSchema, requestSchema, typesOf} from '../../contract/schema.ts'

/** Fields of a call by their dotted paths, as the contract has them. */
export interface CallFields {
  /** May be null or absent. */
  readonly optional: readonly string[]
  /** May be any text. Those of lists end in `[]`. */
  readonly texts: readonly string[]
  /** Objects; the empty path is the call. */
  readonly objects: readonly string[]
  /** Those of objects, by the path of the object. */
  readonly members: ReadonlyMap<string, readonly string[]>
}

/** Without these, or with other values, a call is another one, or is about another amount. */
const KEPT =
  /^(metadata\.(id|transactionId)|account(\..*)?|card\.cardId|customer\.customerId|transactionData\.(transactionType|partialApprovalCapable|transactionAmount|billingAmount|replacementAmount)|.*\.(amount|currency))$/

let known: Promise<CallFields> | undefined

export const callFields = (): Promise<CallFields> => {
  known ??= requestSchema('webhook.auth').then(schema => fieldsOf(schema ?? {}))
  return known
}

function fieldsOf(schema: JsonSchema): CallFields {
  const found = {
    optional: [] as string[],
    texts: [] as string[],
    objects: [''],
    members: new Map<string, readonly string[]>(),
  }
  const walk = (node: JsonSchema, around: string) => {
    found.members.set(around.slice(0, -1), Object.keys(fieldSchemas(node)))
    for (const [name, field] of Object.entries(fieldSchemas(node))) {
      const path = `${around}${name}`
      const types = typesOf(field)
      if (Object.keys(fieldSchemas(field)).length > 0) {
        found.objects.push(path)
        walk(field, `${path}.`)
      }
      if (KEPT.test(path)) continue
      if (types.includes('null')) found.optional.push(path)
      // Digits, or a time of RFC 3339.
      const hasForm = field.pattern !== undefined || path.endsWith('DateTime')
      if (types.includes('string') && !hasForm) found.texts.push(path)
      if (types.includes('array') && field.items && typesOf(field.items).includes('string'))
        found.texts.push(`${path}[]`)
    }
  }
  walk(schema, '')
  return found
}
