/** More than any key, block or token of this trade; a limit against nonsense. */
const LONGEST = 64 * 1024

/**
 * The bytes of base64 text (RFC 4648, 4), or undefined. Strict: the standard alphabet, right padding, no stray bits;
 * only white space at the ends and line breaks, as tools wrap long values, are let through.
 */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length > LONGEST) return undefined
  const compact = text.trim().replace(/\r?\n/g, '')
  const bytes = Buffer.from(compact, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === compact ? bytes : undefined
}
