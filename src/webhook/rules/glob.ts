/**
 * Whether a text is as a pattern says, in which `*` stands for any characters and `?` for one. Goes back to the last `*`
 * only, so that no text can make it slow.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  let [at, next] = [0, 0]
  let star: {next: number; at: number} | undefined
  while (at < text.length) {
    const sign = pattern[next]
    if (sign === '*') star = {next: ++next, at}
    else if (sign === '?' || (sign !== undefined && sign === text[at])) {
      at++
      next++
    } else if (star) {
      at = ++star.at
      next = star.next
    } else return false
  }
  return /^\**$/.test(pattern.slice(next))
}
