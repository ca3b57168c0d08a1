// `last` in place of an id: the newest request, bulk job or call.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const limit = (value: number) =>
  home.json(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${value}`])

test.each([
  ['requests show', 'NOT_FOUND'],
  ['bulk status', 'NOT_FOUND'],
  ['webhook events show', 'NOT_FOUND'],
])('%s last says that there is none', async (words, code) => {
  const {code: exit, stderr} = await home.run([...words.split(' '), 'last', '-o', 'json'])
  expect(exit).toBe(5)
  expect(JSON.parse(stderr)).toMatchObject({error: {code}})
})

test('requests show last is the newest request, with what was sent', async () => {
  await limit(6000)
  await limit(7000)
  const [newest] = await home.json<{id: string}[]>(['requests', 'list'])
  const shown = await home.json(['requests', 'show', 'last'])
  expect(shown).toMatchObject({id: newest?.id, sent: {creditLimit: 7000}})
})

test('requests resolve and retry take last', async () => {
  await home.json('sandbox faults add --operation a2a.create.v1 --drop after --count 1'.split(' '))
  const {code} = await home.run('a2a create --transfer 2006:2007:1:EUR --yes'.split(' '))
  expect(code).toBe(10)
  expect(await home.json(['requests', 'resolve', 'last'])).toMatchObject({verdict: 'had effect'})
  const {code: refused, stderr} = await home.run(['requests', 'retry', 'last'])
  expect(refused).not.toBe(0)
  expect(stderr).not.toContain('NOT_FOUND')
})

test('commands of bulk jobs take last', async () => {
  const rows = join(home.folder, 'rows.csv')
  await writeFile(rows, 'id,creditLimit\n2001,5000\n')
  const first = await home.json<{job: string}>(['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows])
  const second = await home.json<{job: string}>(['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows])
  expect(second.job).not.toBe(first.job)
  expect(await home.json(['bulk', 'status', 'last'])).toMatchObject({job: second.job})
  expect(await home.json(['bulk', 'resume', 'last'])).toMatchObject({job: second.job})
  expect(await home.json(['bulk', 'results', 'last'])).toHaveLength(1)
  const {code, stderr} = await home.run(['bulk', 'cancel', 'last'])
  expect(code).toBe(2)
  expect(stderr).toContain(second.job)
  const to = join(home.folder, 'job.ndjson')
  expect(await home.json(['bulk', 'export', 'last', '--to', to])).toMatchObject({job: second.job})
})
