const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON may hold none of them.
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y

/** Where a text stops being JSON, counted from 1; `isEnd` where its end is missing. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly isEnd: boolean
}

/**
 * The first place where a text is no JSON; undefined for JSON. Parsers say it each in its own way, often not where, and
 * quote what may be secret.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const at = faultAt(text)
  return at === undefined ? undefined : {...placeIn(text, at), isEnd: at >= text.trimEnd().length}
}

/** Where an offset in a text is for its reader, counted from 1. */
export function placeIn(text: string, at: number): Pick<JsonFault, 'line' | 'column'> {
  const before = text.slice(0, at).split('\n')
  return {line: before.length, column: (before.at(-1)?.length ?? 0) + 1}
}

/** What may come next. */
type Next = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

/** The offset of the first token that cannot stand where it stands. */
function faultAt(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let next: Next = 'value'
  let at = 0
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0
    if (at === text.length) return open.length === 0 && next === 'comma or end' ? undefined : at
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    const follows: Next | null | undefined = token && followerOf(token[1], token[2] !== undefined, next, open)
    if (!follows) return at
    next = follows
    at = TOKEN.lastIndex
  }
}

/** What may come after a token; undefined where the token itself may not come. */
function followerOf(
  mark: string | undefined,
  isText: boolean,
  next: Next,
  open: ('{' | '[')[],
): Next | undefined {
  const wantsValue = next === 'value' || next === 'value or end'
  if (mark === undefined) {
    if (isText && (next === 'key' || next === 'key or end')) return 'colon'
    return wantsValue ? 'comma or end' : undefined
  }
  if (mark === '{' || mark === '[') {
    if (!wantsValue) return undefined
    open.push(mark)
    return mark === '{' ? 'key or end' : 'value or end'
  }
  if (mark === ':') return next === 'colon' ? 'value' : undefined
  const inside = open.at(-1)
  if (mark === ',') {
    if (next !== 'comma or end' || inside === undefined) return undefined
    return inside === '{' ? 'key' : 'value'
  }
  const ends = next.endsWith('or end') && inside === (mark === '}' ? '{' : '[')
  if (!ends) return undefined
  open.pop()
  return 'comma or end'
}
