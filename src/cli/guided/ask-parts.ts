import type {DecimalSigns} from '../../money/decimal-sign.ts'
import type {Context} from '../context.ts'
import type {Definition} from '../needs.ts'
import type {Prompter} from '../question.ts'
import {askReading, isOpen} from '../typed-numbers.ts'
import {isAnswer} from './check-answer.ts'

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

/** Asks until the parts together pass the check. */
export async function askForParts(
  {
    prompter,
    context: {printer},
    signs,
  }: {readonly prompter: Prompter; readonly context: Context; readonly signs: DecimalSigns},
  message: string,
  parts: readonly Part[],
  check: (text: string) => Promise<true | string> = async () => true,
): Promise<string> {
  for (;;) {
    printer.question(`${message}:`)
    const answers: string[] = []
    for (const {name, required} of parts) {
      const label = `${name[0]?.toUpperCase()}${name.slice(1)}${required ? '' : ' (optional)'}`
      const answer = await prompter.text(label, text => (text === '' && !required) || isAnswer(text))
      answers.push(name === 'amount' && isOpen(answer, signs) ? await askReading(prompter, answer) : answer)
    }
    while (answers.at(-1) === '') answers.pop()
    const text = answers.join(':')
    const problem = await check(text)
    if (problem === true) return text
    printer.warn(problem)
  }
}
