// Rows that are sent later than they were read don't undo what was changed from here in between.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
let from: string
beforeEach(async () => {
  home = await openHome()
  from = join(home.folder, 'names.csv')
  await writeFile(from, 'id,name\n2006,First\n2007,Second\n2011,Third\n')
})
afterEach(() => home.remove())

const RUN = ['bulk', 'run', 'accounts', 'patch', '--type', 'debit', '--yes', '--concurrency', '1']
const RESUME = ['bulk', 'resume', 'last', '--yes']
const nameOf = async (id: string) =>
  (await home.json<{name?: string}>(['sandbox', 'state', 'show', 'account', id])).name

/** A run that stops after its first row, and what was changed then. */
async function stopped(...flags: readonly string[]): Promise<void> {
  const fault = ['sandbox', 'faults', 'add', '--operation', 'accounts.patchDebit.v4', '--status', '429']
  for (const name of ['Second', 'Third']) await home.run([...fault, '--match', `/name=${name}`])
  expect((await home.run([...RUN, '--from', from, ...flags])).code).not.toBe(0)
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  const patch = ['accounts', 'patch', '2011', '--type', 'debit', '--yes']
  expect((await home.run([...patch, '-f', 'name=Corrected'])).code).toBe(0)
  expect(
    (await home.run(['accounts', 'patch', '2007', '--type', 'debit', '--yes', '-f', 'reason=x'])).code,
  ).toBe(0)
}

it('bulk resume leaves a row out whose field is newer, and sends it once that was said', async () => {
  await stopped()
  const {code, stderr} = await home.run(RESUME)
  expect(code).toBe(11)
  expect(stderr).toContain('1 row not sent, because of newer changes from here')
  expect(stderr).toMatch(
    /Row 3: name of account 2011 was set to "Corrected" by request r_\w+ since the job was made; the row says "Third"\./,
  )
  expect([await nameOf('2007'), await nameOf('2011')]).toEqual(['Second', 'Corrected'])
  expect((await home.run(RESUME)).code).toBe(11)
  expect(await nameOf('2011')).toBe('Corrected')
  expect((await home.run([...RESUME, '--retry-failed'])).code).toBe(0)
  expect(await nameOf('2011')).toBe('Third')
})

it('--retry-failed sends no such row of which nothing was said', async () => {
  await stopped()
  expect((await home.run([...RESUME, '--retry-failed'])).code).toBe(11)
  expect(await nameOf('2011')).toBe('Corrected')
})

it('a job key goes on without such rows', async () => {
  await stopped('--job-key', 'names')
  expect((await home.run([...RUN, '--from', from, '--job-key', 'names'])).code).toBe(11)
  expect(await nameOf('2011')).toBe('Corrected')
})

it('a person is asked on a terminal, and Enter leaves the row out', async () => {
  for (const [keys, name] of [
    ['\r', 'Corrected'],
    ['\u001b[B\r', 'Third'],
  ] as const) {
    await stopped()
    const {stderr} = await home.run(['bulk', 'resume', 'last'], {
      columns: 200,
      typed: [['What about these rows?', keys]],
    })
    expect(stderr).toContain('the row says "Third"')
    expect(await nameOf('2011')).toBe(name)
  }
})

it('no failed row is sent again that was sent since as a job of its own, unless a person was told', async () => {
  const fault = ['sandbox', 'faults', 'add', '--operation', 'accounts.patchDebit.v4', '--status', '409']
  for (const name of ['Second', 'Third']) await home.run([...fault, '--match', `/name=${name}`])
  const file = join(home.folder, 'failed.csv')
  const first = await home.run([...RUN, '--from', from, '--failed-rows', file])
  expect(first.stderr).toMatch(/Next, [^\n]*: cardctl bulk resume j_\w+ --retry-failed/)
  await home.run(['sandbox', 'faults', 'clear', '--yes'])
  const [, job = ''] = /bulk resume (j_\w+)/.exec(first.stderr) ?? []
  expect((await home.run([...RUN, '--from', file])).code).toBe(0)
  const effects = async () =>
    (await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', '2011'])).effects
  const before = await effects()
  const ended = await home.run(['bulk', 'resume', job, '--yes'])
  expect([ended.code, ended.stderr]).toEqual([11, expect.not.stringContaining('--retry-failed')])
  expect(ended.stderr).toContain('each of the 2 that failed sets was changed from here since')
  const retried = await home.run(['bulk', 'resume', job, '--retry-failed', '--yes'])
  expect([retried.code, retried.stderr]).toEqual([11, expect.stringContaining('2 rows not sent')])
  expect(retried.stderr).toMatch(/Row 3: what the row sets of account 2011 was set from here since the job/)
  expect(await effects()).toBe(before)
  expect((await home.run(['bulk', 'resume', job, '--retry-failed', '--yes'])).code).toBe(0)
})
