// What --debug prints of others' words does not act on the terminal.
import {expect, test} from 'vitest'
import {Context} from '../../src/cli/context.ts'
import type {Surroundings} from '../../src/cli/surroundings.ts'

test('control, format and bidi characters are written as escapes', () => {
  let printed = ''
  const stderr = {write: (text: string) => (printed += text), on: () => undefined}
  const context = new Context(
    {env: {}, stderr, stdout: stderr, now: () => 0} as unknown as Surroundings,
    {debug: true},
    '1',
  )
  context.debug('< x: a\u009b31m b\u007f c\u202e d\u001b[2J e\n f\u200b')
  expect(printed).toBe('< x: a\\u009b31m b\\u007f c\\u202e d\\u001b[2J e\\n f\\u200b\n')
})
