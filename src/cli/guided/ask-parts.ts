import type {DecimalSigns} from '../../money/decimal-sign.ts'
import type {Context} from '../context.ts'
import type {Definition} from '../needs.ts'
import type {Prompter} from '../question.ts'
import {askReading, isOpen, readAs} from '../typed-numbers.ts'
import {isAnswer, saidBy} from './check-answer.ts'

interface Part {
  readonly name: string
  readonly required: boolean
}

/** The parts of a value such as `from:to:amount:currency[:text]`, which are asked for one by one. */
export function partsOf({helpValue}: Definition): readonly Part[] | undefined {
  if (typeof helpValue !== 'string' || !/^[a-z]+(?::[a-z]+){2,}(?:\[:[a-z]+\])*$/.test(helpValue))
    return undefined
  return [...helpValue.matchAll(/(\[?):?([a-z]+)/g)].map(([, open, name = '']) => ({
    name,
    required: open !== '[',
  }))
}

/** Checks one part beside those that were answered before it. @throws Failure */
export type PartCheck = (
  name: string,
  answers: Readonly<Record<string, string>>,
  signs: DecimalSigns,
) => unknown

/** Asks for the parts, each checked where it is typed. */
export async function askForParts(
  {
    prompter,
    context: {printer},
    signs,
  }: {readonly prompter: Prompter; readonly context: Context; readonly signs: DecimalSigns},
  message: string,
  parts: readonly Part[],
  check: PartCheck = () => undefined,
): Promise<string> {
  printer.question(`${message}:`)
  const answers: Record<string, string> = {}
  for (const {name, required} of askedInOrder(parts)) {
    const label = `${name[0]?.toUpperCase()}${name.slice(1)}${required ? '' : ' (optional)'}`
    const problem = async (text: string): Promise<true | string> => {
      if (text === '' && !required) return true
      const unfit = isAnswer(text)
      return unfit === true ? saidBy(() => check(name, {...answers, [name]: text}, signs)) : unfit
    }
    for (let unfit: true | string = ''; unfit !== true; ) {
      // Only an amount has decimals that may be meant in two ways.
      const isDoubtful = (text: string): boolean => name === 'amount' && isOpen(text, signs)
      const answer = await prompter.text(label, async text => isDoubtful(text) || problem(text))
      const isUnread = isDoubtful(answer)
      const read = isUnread ? await askReading(prompter, answer) : answer
      if (isUnread) printer.note(readAs(answer, read, answers.currency))
      unfit = await problem(read)
      if (unfit !== true) printer.warn(unfit)
      answers[name] = read
    }
  }
  const texts = parts.map(({name}) => answers[name] ?? '')
  while (texts.at(-1) === '') texts.pop()
  return texts.join(':')
}

/** The currency comes before the amount, which has its decimals. */
function askedInOrder(parts: readonly Part[]): readonly Part[] {
  const currency = parts.filter(({name}) => name === 'currency')
  const others = parts.filter(({name}) => name !== 'currency')
  return others.flatMap(part => (part.name === 'amount' ? [...currency, part] : [part]))
}
