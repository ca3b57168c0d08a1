import {isObject} from '../../errors/is-object.ts'
import {callIdOf, partOf} from '../received-call.ts'
import type {Sent} from './expectation.ts'

const VARIABLE = /\$\{([^}]*)\}/g
const WHOLE = /^\$\{([^}]*)\}$/

/** Stands for a variable without a value. */
export class Unknown extends Error {
  override readonly name = 'Unknown'
}

/**
 * A value with its variables replaced, also inside objects (values and names) and lists. Text that is one variable
 * becomes the value itself; a variable inside a text becomes text.
 *
 * @param look returns undefined to leave a variable as it is.
 * @throws Unknown if a variable inside a text stands for a list or an object.
 */
export function substitute(value: unknown, look: (variable: string) => unknown): unknown {
  if (typeof value === 'string') {
    const [, only] = WHOLE.exec(value) ?? []
    if (only !== undefined) return look(only.trim()) ?? value
    return value.replace(VARIABLE, (whole, variable: string) => {
      const found = look(variable.trim())
      return found === undefined ? whole : textOf(found, variable)
    })
  }
  if (Array.isArray(value)) return value.map(item => substitute(item, look))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [String(substitute(name, look)), substitute(item, look)]),
  )
}

function textOf(value: unknown, variable: string): string {
  if (typeof value === 'object') throw new Unknown(`\${${variable}} is not a text`)
  return String(value)
}

/** The variables in a value, with the JSON pointer of each. */
export function variablesIn(value: unknown, pointer = ''): readonly {pointer: string; variable: string}[] {
  if (typeof value === 'string') {
    return [...value.matchAll(VARIABLE)].map(([, variable = '']) => ({pointer, variable: variable.trim()}))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    variablesIn(item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

export const hasVariable = (value: unknown): boolean => variablesIn(value).length > 0

/** The value at a dotted path; undefined if there is none, or null. */
export function valueAtPath(value: unknown, path: string): unknown {
  let found = value
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found ?? undefined
}

/** The step of a variable and the path in it. A step's name may have dots: the longest name that fits is meant. */
export function splitVariable(variable: string, steps: readonly string[]): readonly [string, string] {
  const found = steps
    .filter(name => variable === name || variable.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)[0]
  const name = found ?? variable.split('.', 1)[0] ?? ''
  return [name, variable.slice(name.length + 1)]
}

/** What variables can name of a step that sent a call. */
export function factsOf({call, verdict: {outcome, code, part, status, reply, durationMs}}: Sent): object {
  const body = isObject(call) ? call : {}
  const {transactionId} = partOf(body, 'metadata')
  return {
    id: callIdOf(body),
    transactionId,
    ...(isObject(partOf(body, 'transactionData').transactionAmount)
      ? (partOf(body, 'transactionData').transactionAmount as object)
      : {}),
    decision: outcome,
    code,
    part,
    status,
    durationMs,
    call,
    answer: reply,
  }
}
