// Secrets are asked for so that they are never typed where somebody can read them.
import {expect, test} from 'vitest'
import {askSecretPlace} from '../../src/cli/guided/ask-secret-place.ts'
import type {Prompter} from '../../src/cli/question.ts'

/** A person who chooses a place, and types these texts until one is taken. */
function typing(...texts: readonly string[]) {
  const refused: string[] = []
  const prompter = {
    choose: async () => 'place',
    text: async (_: string, check: (text: string) => true | string) => {
      for (const text of texts) {
        const problem = check(text)
        if (problem === true) return text
        refused.push(problem)
      }
      throw new Error('nothing was taken')
    },
  } as unknown as Prompter
  return {prompter, refused}
}

test('a secret typed in place of its place is refused, and not repeated', async () => {
  const {prompter, refused} = typing('s3cret-value', 'env:', 'env:TOKEN')
  expect(await askSecretPlace(prompter, 'Token', {form: 'place or typed', optional: false})).toBe('env:TOKEN')
  expect(refused).toEqual(['Begin with env:, file: or cmd:', 'Begin with env:, file: or cmd:'])
})
