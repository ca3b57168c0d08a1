/**
 * The one of `names` that was probably meant, or undefined. It differs only in case, or has an edit distance of at most
 * a third of the letters; 1 is always allowed from three letters on (Damerau–Levenshtein, optimal string alignment).
 * Shared leading words don't count: ACCOUNT_CLOSED is not close to ACCOUNT_BLOCKED because of ACCOUNT. A name that means
 * the opposite was never meant: `block` for `unblock`.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase()
  let best: {name: string; distance: number} | undefined
  for (const name of names) {
    const known = name.toLowerCase()
    const letters = known.length - sharedWords(wanted, known)
    const most = name.length < 3 ? 0 : Math.max(1, Math.floor(letters / 3))
    // The difference in length alone exceeds the maximum distance.
    if (Math.abs(wanted.length - known.length) > most) continue
    const distance = editDistance(wanted, known)
    if (distance > most || distance >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue
    if (distance > 1 && isOpposite(wanted, known, distance)) continue
    best = {name, distance}
  }
  return best?.name
}

/** Length of the shared leading words, with their separators. */
function sharedWords(a: string, b: string): number {
  let shared = 0
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (/[ _.-]/.test(a.charAt(at))) shared = at + 1
  return shared
}

const NEGATIONS = ['un', 'dis', 'de', 'in', 'no-', 'non-', 'not-']

/** Whether the two are closer when one of them is negated. */
function isOpposite(a: string, b: string, distance: number): boolean {
  const shared = sharedWords(a, b)
  const [left, right] = [a.slice(shared), b.slice(shared)]
  return NEGATIONS.some(
    negation =>
      editDistance(negation + left, right) < distance || editDistance(left, negation + right) < distance,
  )
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

/** The name that was probably meant. `--page` means `--page-size`, even if another name is only one letter away. */
export function meantName(given: string, names: readonly string[]): string | undefined {
  const [longer, ...others] = names.filter(name => name.startsWith(`${given}-`))
  return longer !== undefined && others.length === 0 ? longer : nearestName(given, names)
}
