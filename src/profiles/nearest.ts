/** The known word that a mistyped one most likely means, if one is near: at most a third of its letters differ. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.floor(Math.max(typed.length, 3) / 3) + 1
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase(), least)
    if (distance < least) {
      least = distance
      best = word
    }
  }
  return best
}

/** Levenshtein's distance, or `limit` once it is certain to be at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({length: b.length + 1}, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? limit
}
