import type {AnyInput, IrreversibleMark} from '../contract/operation.ts'

function at(value: unknown, tokens: readonly string[]): unknown[] {
  const [token, ...rest] = tokens
  if (token === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && token === '*') return value.flatMap((item: unknown) => at(item, rest))
  return Object.hasOwn(value, token) ? at((value as Record<string, unknown>)[token], rest) : []
}

function valuesAt(pointer: string, input: AnyInput): unknown[] {
  if (pointer.startsWith('path:')) return [input.path[pointer.slice('path:'.length)]]
  const tokens = pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  return at(input.body, tokens)
}

/** Whether the input holds a value that the contract marks as irreversible. */
export function holdsIrreversible(
  operation: {readonly irreversible: readonly IrreversibleMark[]},
  input: AnyInput,
): boolean {
  return operation.irreversible.some(({pointer, values}) =>
    valuesAt(pointer, input).some(value => values.includes(String(value))),
  )
}
