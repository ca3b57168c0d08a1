import type {Prompter} from './question.ts'

/** An amount as a question shows it. */
const AMOUNT = /^-?\d+\.\d+$/

/**
 * Asks a person to type a name, an id or an amount as agreement. Another text gets one more chance, in the same
 * question; a no, or nothing, is an answer.
 */
export async function typesName(
  prompter: Pick<Prompter, 'text'>,
  name: string,
  before = '',
): Promise<boolean> {
  let isFirst = true
  const typed = await prompter.text(`${before}Type ${name} to confirm:`, answer => {
    if (!isFirst || isNo(answer) || means(answer, name)) return true
    isFirst = false
    const why = /^y(es)?$/i.test(answer) ? 'A yes is not enough here.' : `That is not ${name}.`
    return `${why} Type ${name} once more, or n to stop.`
  })
  return means(typed, name)
}

const isNo = (answer: string): boolean => /^(?:|no?|q|quit|stop|cancel)$/i.test(answer)

/** 77 is 77.00, and so is 77,00. */
function means(answer: string, name: string): boolean {
  const text = answer.trim()
  return text === name || (AMOUNT.test(name) && plainAmount(text) === plainAmount(name))
}

/** Without groups of digits and zeros at the end. A comma before three digits may be either sign, so it stays. */
const plainAmount = (text: string): string =>
  text
    .replaceAll(/(?<=\d)[ '\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replace(/,(?=\d{1,2}$)/, '.')
    .replace(/(?<=\.\d*)0+$/, '')
    .replace(/\.$/, '')
