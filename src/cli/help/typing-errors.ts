/** How many letters may be missing, added or other ones. */
const mostErrors = (word: string): number =>
  word.length < 5 || /\d/.test(word) ? 0 : word.length < 8 ? 1 : 2

/** The word of a text that a mistyped one is nearest to; undefined if none is near. */
export function nearest(word: string, among: Iterable<string>): string | undefined {
  let best: {word: string; errors: number} | undefined
  for (const each of among) {
    const most = Math.min(mostErrors(word), (best?.errors ?? 9) - 1)
    if (most < 1) break
    if (Math.abs(each.length - word.length) > most || each[0] !== word[0]) continue
    const errors = errorsBetween(word, each)
    if (errors <= most) best = {word: each, errors}
  }
  return best?.word
}

function errorsBetween(one: string, other: string): number {
  let above = Array.from({length: other.length + 1}, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1]
    for (let at = 0; at < other.length; at++)
      line.push(
        Math.min(
          (line[at] ?? 0) + 1,
          (above[at + 1] ?? 0) + 1,
          (above[at] ?? 0) + (letter === other[at] ? 0 : 1),
        ),
      )
    above = line
  }
  return above.at(-1) ?? 0
}
