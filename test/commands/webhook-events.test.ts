import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home

beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

test.each<[string, (file: string) => void, string]>([
  ['nothing', () => undefined, 'cannot be read: it does not exist'],
  ['an empty file', file => writeFileSync(file, ''), 'is not a recording'],
  ['text', file => writeFileSync(file, 'text '.repeat(1000)), 'is not a recording'],
  ['a folder', file => mkdirSync(file), 'is not a recording'],
  [
    'a database of another program',
    file => new DatabaseSync(file).exec('CREATE TABLE theirs (x)'),
    'it is a database of another program',
  ],
])('%s is refused as a recording and left as it is', async (_, make, says) => {
  const file = join(home.folder, 'file')
  make(file)
  if (existsSync(file)) chmodSync(file, 0o755)
  const before = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined
  for (const line of ['list', 'export', 'show e_1', 'prune --older-than 1d --yes']) {
    const argv = ['webhook', 'events', ...line.split(' '), '--recording', file]
    const {code, stdout, stderr} = await home.run(argv)
    expect({code: code > 0, stdout, stderr}).toEqual({
      code: true,
      stdout: '',
      stderr: expect.stringContaining(says),
    })
    expect(stderr).not.toContain('used by others')
  }
  if (existsSync(file)) expect(statSync(file).mode & 0o777).toBe(0o755)
  if (before) expect(readFileSync(file)).toEqual(before)
})

test('does not silently replace an emptied or removed recording', async () => {
  const list = ['webhook', 'events', 'list']
  expect((await home.run(list)).stderr).not.toContain('recording starts')
  const file = join(home.folder, '.local/share/cardctl/webhook/events.db')
  writeFileSync(file, '')
  expect((await home.run(list)).stderr).toContain(
    `${file} is empty. Calls recorded in it are lost, and a new recording starts.`,
  )
  expect((await home.run(list)).stderr).not.toContain('recording starts')
  rmSync(file)
  writeFileSync(`${file}-wal`, '')
  expect((await home.run(list)).stderr).toContain(`${file} was removed.`)
})

test('a search by an unknown field or with a wrong value says what it takes', async () => {
  for (const [search, says] of [
    ['mc:5411', 'there is no field mc; the fields are merchant, mcc,'],
    ['outcome:aproved', 'outcome is one of approved, partial, declined'],
  ] as const) {
    const {code, stdout, stderr} = await home.run(['webhook', 'events', 'list', '--search', search])
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says)
  }
})
