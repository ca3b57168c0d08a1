// Rows of a bulk job that a remark holds back: named and asked about, and sent or left out by a flag, however they are read.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {isNotToSend} from '../../src/cli/sheet/not-to-send.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const RUN = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--rate', 'off', '--from']
async function file(name: string, ...lines: readonly string[]): Promise<string> {
  const path = join(home.folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}
const sheet = () => file('limits.csv', 'Konto;creditLimit;Bemerkung', '2001;4100;', '2002;4200;nicht ändern')
const UNSENT = ['--map', 'Konto=id', '--map', 'Bemerkung=none']
const rowsOf = (stdout: string): number => JSON.parse(stdout).rows

it('are named with their lines, and sent or left out as the flag says', async () => {
  const from = await sheet()
  const {code, stderr} = await home.run([...RUN, from, ...UNSENT])
  expect(code).toBe(2)
  expect(stderr).toContain(
    'the column Bemerkung may say that rows are not to be sent: line 3. Line 3: nicht ändern.',
  )
  expect(stderr).toContain('--marked-rows skip')
  expect(stderr).not.toContain('add --map')
  const skipped = await home.run([...RUN, from, ...UNSENT, '--marked-rows', 'skip', '-o', 'json'])
  expect(rowsOf(skipped.stdout)).toBe(1)
  expect(skipped.stderr).toContain('Left out: line 3. Line 3: nicht ändern.')
  const sent = await home.run([...RUN, from, ...UNSENT, '--marked-rows', 'send', '-o', 'json'])
  expect(rowsOf(sent.stdout)).toBe(2)
})

it('are asked about on a terminal, once', async () => {
  const args = [...RUN, await sheet(), '--map', 'Konto=id', '-p', 'sandbox']
  const {stderr, code} = await home.run(args, {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['What about it?', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).toContain('Left out: line 3.')
  expect(code).toBe(0)
})

it('are seen in files that are read row by row', async () => {
  const plain = await file('plain.csv', 'id,creditLimit,note', '2001,4100,', '2002,4200,on hold')
  const rows = [
    {id: '2001', creditLimit: 4100, note: ''},
    {id: '2002', creditLimit: 4200, note: 'do not change'},
  ]
  const json = await file('rows.ndjson', ...rows.map(row => JSON.stringify(row)))
  for (const from of [plain, json]) {
    const {code, stderr} = await home.run([...RUN, from, '--map', 'note=none'])
    expect(code).toBe(2)
    expect(stderr).toContain('--marked-rows skip')
    const skipped = await home.run([
      ...RUN,
      ...[from, '--map', 'note=none', '--marked-rows', 'skip', '-o', 'json'],
    ])
    expect(rowsOf(skipped.stdout)).toBe(1)
  }
})

it('a sum below may be with them or without them', async () => {
  const summed = async (sum: string) => {
    const path = await file(
      'sum.csv',
      ...['Konto;creditLimit;Bemerkung', '2001;4100;', '2002;4200;storniert', `Summe;${sum};`],
    )
    return home.run([...RUN, path, ...UNSENT, '--marked-rows', 'skip', '-o', 'json'])
  }
  expect((await summed('4100')).code).toBe(0)
  expect((await summed('8300')).code).toBe(0)
  expect((await summed('8000')).code).toBe(2)
})

it.each([
  'please do not change',
  'leave as is',
  'on hold',
  'Cancelled',
  'bitte nicht ändern',
  'nicht bearbeiten',
  'får ej ändras',
  'ändra inte',
  'älä muuta',
  'ei saa muuttaa',
  'ne pas modifier',
  'no modificar',
  'må ikke ændres',
  'skal ikke endres',
])('%s says it', text => {
  expect(isNotToSend(text)).toBe(true)
})

it.each(['ok', 'changed', 'Änderung 2', 'wie besprochen', 'new limit'])('%s does not', text => {
  expect(isNotToSend(text)).toBe(false)
})

it('a column of states is asked about once', async () => {
  const from = await file('limits.csv', 'Konto;creditLimit;Statut', '2001;4100;à changer', '2001;4200;annulé')
  const {stderr, code} = await home.run([...RUN, from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['Line 3: annulé. The other rows say: à changer. What about it?', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).not.toContain('what is it?')
  expect(stderr).toContain('Left out: line 3.')
  expect(code).toBe(0)
})
