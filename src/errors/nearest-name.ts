/**
 * The one of `names` that was probably meant: the same but for case, or at most a third of its letters away, or one of
 * more than two (Damerau–Levenshtein, optimal string alignment). Undefined if none is near.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase()
  let best: {name: string; distance: number} | undefined
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase())
    if (
      distance <= (name.length < 3 ? 0 : Math.max(1, Math.floor(name.length / 3))) &&
      distance < (best?.distance ?? Number.POSITIVE_INFINITY)
    ) {
      best = {name, distance}
    }
  }
  return best?.name
}

function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({length: b.length + 1}, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : changed
      row.push(Math.min(changed, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
