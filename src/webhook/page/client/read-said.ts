/** `status 200, {…}`, if all of the JSON is there. A long answer was cut when it was recorded. */
export function readSaid(said: string): {readonly words: string; readonly json?: unknown} {
  const [, words = '', text = ''] = /^(status \d+), ([{[].*)$/s.exec(said) ?? []
  try {
    return text === '' ? {words: said} : {words, json: JSON.parse(text)}
  } catch {
    return {words: said}
  }
}
