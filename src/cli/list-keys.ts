import type {Readable} from 'node:stream'

interface Key {
  name?: string
}

/**
 * Keeps a text that was typed before a list was there, or by mistake, from choosing in it: inquirer takes a digit for the
 * choice of that number, and a space between two words for the one that is marked.
 *
 * @returns what ends it
 */
export function onlyChosenKeys(stdin: Readable): () => void {
  let isInText = false
  const onKey = (text: string | undefined, key?: Key): void => {
    if (key === undefined) return
    const isDigit = /^\d$/.test(key.name ?? '')
    if (isDigit || (isInText && key.name === 'space')) key.name = 'none'
    isInText = isDigit || /^[\p{L}\p{N}\p{P}]$/u.test(text ?? '') || (isInText && key.name === 'none')
  }
  // Before inquirer, which listens later.
  stdin.prependListener('keypress', onKey)
  return () => void stdin.off('keypress', onKey)
}
