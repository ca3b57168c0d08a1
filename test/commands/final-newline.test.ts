// CSV from a pipe whose writer died in the middle of a value.
import {execFileSync} from 'node:child_process'
import {createReadStream, openSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const TRANSFERS = 'from,to,amount,currency\n2006,2007,1.10,EUR\n2006,2007,65,EUR'
const LIMITS = 'id\tcreditLimit\n2001\t6500\n2001\t65'
const CREATE = 'a2a create --yes --from'.split(' ')
const RUN = 'bulk run accounts patch --type credit --yes --from'.split(' ')

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const sent = async () => (await home.json<unknown[]>(['requests', 'list'])).length

describe.each([
  ['a2a create', CREATE, TRANSFERS],
  ['bulk run', RUN, LIMITS],
  ['bulk run --no-precheck', [...RUN.slice(0, -1), '--no-precheck', '--from'], LIMITS],
])('%s', (_, command, text) => {
  test('refuses it, and sends nothing', async () => {
    const {code, stderr} = await home.run([...command, '-'], {stdin: text})
    expect(code).toBe(2)
    expect(stderr).toContain('stdin ends in the middle of line 3')
    expect(stderr).toContain('--no-final-newline')
    expect(await sent()).toBe(0)
    expect((await home.run([...command, '-'], {stdin: `${text}\n`})).code, 'whole').toBe(0)
    expect(await sent()).toBeGreaterThan(0)
  })

  test('sends it with --no-final-newline', async () => {
    expect((await home.run([...command, '-', '--no-final-newline'], {stdin: text})).code).toBe(0)
    expect(await sent()).toBeGreaterThan(0)
  })

  test('refuses it from a named pipe', async () => {
    const pipe = join(home.folder, 'rows.csv')
    execFileSync('mkfifo', ['-m', '600', pipe])
    const write = writeFile(pipe, text)
    const {code, stderr} = await home.run([...command, pipe])
    await write
    expect(code).toBe(2)
    expect(stderr).toContain('--no-final-newline')
    expect(await sent()).toBe(0)
  })

  test('takes a file, also as stdin: spreadsheets leave the last line end out', async () => {
    const file = join(home.folder, 'rows.csv')
    await writeFile(file, text)
    const input = createReadStream('', {fd: openSync(file, 'r')})
    expect((await home.run([...command, '-'], {input})).code).toBe(0)
    const again = command === CREATE ? ['--again'] : []
    expect((await home.run([...command, file, ...again])).code).toBe(0)
  })
})

test('a line of NDJSON shows itself whether it is whole', async () => {
  const row = '{"id": "2001", "creditLimit": 6500}'
  expect((await home.run([...RUN, '-'], {stdin: row})).code).toBe(0)
  expect((await home.run([...RUN, '-'], {stdin: row.slice(0, -4)})).code).toBe(2)
})

test('a read takes what came', async () => {
  const argv = 'bulk run cards.get.v4 --map card=path:id --from -'.split(' ')
  expect((await home.run(argv, {stdin: 'card\n3001\n3002'})).code).toBe(0)
})
