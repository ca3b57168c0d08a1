import {expect, it} from 'vitest'
import type {Prompter} from '../../src/cli/question.ts'
import {typesName} from '../../src/cli/typed-name.ts'

/** Answers in order, and what was said to those that were refused. */
async function typing(name: string, ...answers: readonly string[]) {
  const said: string[] = []
  let asked = 0
  const prompter: Pick<Prompter, 'text'> = {
    text: async (_, check) => {
      for (const answer of answers) {
        asked++
        const problem = (await check?.(answer)) ?? true
        if (problem === true) return answer
        said.push(String(problem))
      }
      throw new Error('asked too often')
    },
  }
  return {agreed: await typesName(prompter, name), said, asked}
}

it.each([
  ['77.00', '77'],
  ['77.00', '77.0'],
  ['77.00', '77,00'],
  ['1370.45', '1 370.45'],
  ['1370.45', '1\u202f370,45'],
  ['1.500', '1.5'],
  ['2006', ' 2006 '],
  ['stop', 'stop'],
])('%j is agreed to by %j', async (name, answer) => {
  expect(await typing(name, answer)).toEqual({agreed: true, said: [], asked: 1})
})

it.each([
  ['77.00', '7700'],
  ['77.00', '77.01'],
  ['77.00', '770'],
  ['1.500', '1,500'],
  ['1.500', '1500'],
  ['2006', '2006.0'],
  ['2006', '2 006'],
  ['live', 'Live'],
])('%j is not agreed to by %j, however often', async (name, answer) => {
  const said = [`That is not ${name}. Type ${name} once more, or n to stop.`]
  expect(await typing(name, answer, answer)).toEqual({agreed: false, said, asked: 2})
  expect(await typing(name, answer, name)).toEqual({agreed: true, said, asked: 2})
})

it('says to a yes what it takes, and to a no nothing', async () => {
  const {said} = await typing('2006', 'y', 'n')
  expect(said).toEqual(['A yes is not enough here. Type 2006 once more, or n to stop.'])
  for (const answer of ['', 'n', 'No', 'stop'])
    expect(await typing('2006', answer)).toEqual({agreed: false, said: [], asked: 1})
})
