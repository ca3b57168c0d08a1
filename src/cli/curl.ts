import type {Preview} from '../http/send-types.ts'
import {Secret} from '../sensitive/secret.ts'

/** The request as a command that can be run in a POSIX shell; a variable stands where a secret would. */
export function asCurl({method, url, headers, body}: Preview): string {
  const parts = ['curl', '--request', method]
  for (const [name, value] of Object.entries(headers)) {
    parts.push(
      '--header',
      value instanceof Secret ? `"${name}: $${variable(name)}"` : quote(`${name}: ${value}`),
    )
  }
  if (body !== undefined) parts.push('--data', quoteBody(body))
  return [...parts, quote(url)].join(' ')
}

/** `authorization` → `AUTHORIZATION`, `pinBlock` → `PIN_BLOCK`: what the caller exports before running the line. */
const variable = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON in single quotes, interrupted by the variable of each secret member. */
function quoteBody(body: unknown): string {
  return [...pieces(body, 'body')]
    .reduce<Piece[]>((joined, piece) => {
      const last = joined.at(-1)
      if (last?.text === undefined || piece.text === undefined) joined.push(piece)
      else joined.splice(-1, 1, {text: last.text + piece.text})
      return joined
    }, [])
    .map(({text, secret}) => (text === undefined ? `"$${secret}"` : quote(text)))
    .join('')
}

type Piece =
  | {readonly text: string; readonly secret?: never}
  | {readonly text?: never; readonly secret: string}

function* pieces(value: unknown, name: string): Generator<Piece> {
  if (value instanceof Secret) {
    yield {text: '"'}
    yield {secret: variable(name)}
    yield {text: '"'}
  } else if (Array.isArray(value)) {
    yield* list('[]', value, item => pieces(item, name))
  } else if (typeof value === 'object' && value !== null) {
    yield* list(
      '{}',
      Object.entries(value).filter(([, item]) => item !== undefined),
      function* ([key, item]) {
        yield {text: `${JSON.stringify(key)}:`}
        yield* pieces(item, key)
      },
    )
  } else {
    yield {text: JSON.stringify(value) ?? 'null'}
  }
}

function* list<T>(
  brackets: string,
  items: readonly T[],
  each: (item: T) => Iterable<Piece>,
): Generator<Piece> {
  yield {text: brackets.charAt(0)}
  for (const [at, item] of items.entries()) {
    if (at > 0) yield {text: ','}
    yield* each(item)
  }
  yield {text: brackets.charAt(1)}
}
