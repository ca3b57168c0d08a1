// The questions about a spreadsheet: what it lacks, answers that are checked where they are typed, and the way back.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const DOWN = '\u001b[B'
const UP = '\u001b[A'
const ESC = '\u001b'

async function asked(content: string, typed: NonNullable<RunOptions['typed']>, ...flags: string[]) {
  const from = join(home.folder, 'rows.csv')
  await writeFile(from, content)
  return home.run(['a2a', 'create', '--from', from, '-p', 'sandbox', ...flags], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed,
  })
}

it('all rows may come from one account, which is checked where it is typed', async () => {
  const {code, stderr} = await asked('Account;Amount;Currency\n2007;10;EUR\n2008;20;EUR\n', [
    ['Which column has the account that the money comes from?', `${DOWN}${DOWN}`],
    ['Which account does all the money come from?', 'office'],
    ['The id of an account has digits only.', '\u007f'.repeat(6)],
    ['come from?', '2006'],
    ['Which column has the account that the money goes to?', ''],
    ['Continue?', 'y'],
  ])
  expect(stderr).toContain('From 2006: 2 transfers, EUR 30.00')
  expect(code).toBe(0)
})

it('Esc goes back to the question before, with its answer, and leaves at the first one', async () => {
  const content = 'Kunde;Ziel;Menge;Currency\n2006;2007;10;EUR\n2006;2008;20;EUR\n'
  const {code, stderr} = await asked(content, [
    ['that the money comes from?', ''],
    ['that the money goes to?', ''],
    ['Which column has the amount?', ESC],
    ['that the money goes to?', ''],
    ['Which column has the amount?', ''],
    ['Continue?', 'n'],
  ])
  expect(stderr).toContain('Taken back.')
  expect(stderr).toContain('send 2 transfers: EUR 30.00')
  expect(code).not.toBe(130)
  const left = await asked(content, [['that the money comes from?', ESC]])
  expect(left).toMatchObject({code: 130, stderr: expect.stringContaining('Nothing was sent or changed.')})
})

it('an answer that Esc took back is not in the line that says it again', async () => {
  const content = 'Kunde;Ziel;Menge;Currency\n2006;2007;10;EUR\n2006;2008;20;EUR\n'
  const {stderr} = await asked(
    content,
    [
      ['space select', ''],
      ['that the money comes from?', DOWN],
      ['that the money goes to?', ESC],
      ['that the money comes from?', UP],
      ['that the money goes to?', ''],
      ['Which column has the amount?', ''],
      ['Continue?', 'n'],
    ],
    '-i',
  )
  expect(stderr).toContain('--map Kunde=from')
  expect(stderr).not.toContain('--map Ziel=from')
})

it('Esc at a question alone leaves', async () => {
  const left = await asked('From;To;Amount;Currency\n2006;2007;10;EUR\n', [['Continue?', ESC]])
  expect(left).toMatchObject({code: 130, stderr: expect.stringContaining('Nothing was sent or changed.')})
  expect(await home.json(['requests', 'list'])).toEqual([])
})
