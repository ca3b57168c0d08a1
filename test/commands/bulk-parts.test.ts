// Commands that change one thing of an account have no rows: which line does it for many is said before any question.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {SET_BY} from '../../src/commands/bulk/shared/part-of-another.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe.each(Object.entries(SET_BY))('%s for many', (command, field = '') => {
  const words = command.split(' ')

  it('sets what the command sets', async () => {
    const [name = '', value] = field.split('=')
    const one = await home.json<{body: unknown}>([...words, '2001', '--type', 'credit', '--dry-run'])
    expect(one.body).toEqual({[name]: value})
  })

  it.each([
    ['with its file', [...words, '--from', 'ids.csv'], 'There is no flag --from.'],
    ['in bulk, before the file is asked for', ['bulk', 'run', ...words], 'changes one thing at a time'],
    ['as a plan', ['bulk', 'plan', ...words], 'changes one thing at a time'],
  ])('leads to the line, %s', async (_, argv, why) => {
    const {code, stdout, stderr} = await home.run(argv, {columns: 400, typed: []})
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    const told = stripVTControlCharacters(stderr).replaceAll(/\s+/g, ' ')
    expect(told).toContain(why)
    expect(told).toContain(`cardctl bulk run accounts patch --type credit --from FILE --field ${field}`)
  })
})

it('that line blocks each account of the file', async () => {
  const file = join(home.folder, 'ids.csv')
  await writeFile(file, 'id\n2001\n')
  const line = [
    'bulk',
    'run',
    'accounts',
    'patch',
    '--type',
    'credit',
    '--from',
    file,
    '--field',
    SET_BY['accounts block'] ?? '',
  ]
  expect((await home.run([...line, '--yes', '-p', 'sandbox'])).code).toBe(0)
  const {stdout} = await home.run(['sandbox', 'state', 'show', 'account', '2001', '-o', 'json'])
  expect(stdout).toContain('ACCOUNT_BLOCKED')
})

describe.each(['bulk plan', 'bulk run'])('%s asks for the operation', line => {
  it.each([
    ['accounts limit', 'accounts limit changes one thing at a time'],
    ['a2a create', 'a2a.create.v1 moves money in batches of its own'],
    ['accounts lmit', 'accounts lmit is neither an operation'],
  ])('and refuses %s there, to be corrected', async (typed, why) => {
    const {stderr} = await home.run(line.split(' '), {
      columns: 200,
      typed: [
        ['Id of the operation', typed],
        [why, '\u0015accounts patch'],
        ['Spreadsheet', '\u0004'],
      ],
    })
    const told = stripVTControlCharacters(stderr)
    expect(told).toContain(why)
    expect(told).toMatch(/✔ Id of the operation.* accounts patch/)
  })
})
