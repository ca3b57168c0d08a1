import {Failure} from '../errors/failure.ts'
import {meantName} from '../errors/nearest-name.ts'
import {misfit, readExpression} from '../input/expression.ts'

export interface Query {
  (value: unknown): unknown
  /** Why nothing was found in a value, for a person; undefined if the value itself is empty. */
  whyNothing(value: unknown): string | undefined
}

/**
 * Compiles a JMESPath expression, so that a bad one is reported before any request is sent.
 *
 * @throws Failure USAGE with the position (from 1) of the syntax error. The compiled query throws USAGE if the
 * expression doesn't fit the value; the message never quotes the value.
 */
export async function compileQuery(text: string): Promise<Query> {
  const expression = await readExpression(text)
  if (typeof expression === 'string') {
    throw new Failure('USAGE', {
      message: `--query is not a JMESPath expression: ${expression}`,
      hint: 'An example: --query "[?status==\'CARD_OK\'].id". See jmespath.site.',
    })
  }
  const search = (value: unknown): unknown => {
    try {
      return expression.search(value)
    } catch (error) {
      throw new Failure('USAGE', {
        message: `--query does not fit the result: ${misfit(error)}`,
        hint: 'Look at the result with -o json first.',
      })
    }
  }
  return Object.assign(search, {whyNothing: (value: unknown) => whyNothing(expression.names, value)})
}

function whyNothing(names: readonly string[], value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) return undefined
  const known = [...new Set(namesIn(value))]
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return '--query matches nothing in the result.'
  const meant = meantName(unknown, known)
  const top = Object.keys((Array.isArray(value) ? value[0] : value) ?? {})
  const fields = `It has ${top.slice(0, MOST_NAMES).join(', ')}${top.length > MOST_NAMES ? ' …' : ''}.`
  return `--query found nothing: the result has no field ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}${top.length === 0 ? '' : ` ${fields}`}`
}

const MOST_NAMES = 12

/** The names of all fields, at any depth. */
function* namesIn(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield* Object.keys(value)
  for (const part of Object.values(value)) yield* namesIn(part)
}
