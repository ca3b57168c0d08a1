const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON may hold none of them.
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y

/**
 * Where a text stops being JSON, as a sentence; undefined for JSON. Browsers say it each in its own way, and often not
 * where.
 */
export function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return 'There is nothing to send.'
  const at = faultAt(text)
  if (at === undefined) return undefined
  if (at >= text.trimEnd().length) return 'This is no JSON yet: its end is missing.'
  const before = text.slice(0, at).split('\n')
  return `This is no JSON yet: look at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`
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
