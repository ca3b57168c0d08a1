// Columns with remarks on the rows of a bulk job: left out and quoted where nothing of the request can mean them.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const run = async (rows: string, ...more: readonly string[]) => {
  const {code, stderr} = await home.run(
    ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes', ...more],
    {stdin: rows},
  )
  return {code, said: stderr.replaceAll(/\s+/g, ' ')}
}
const sent = async () => (await home.json<unknown[]>(['requests', 'list'])).length

it.each([
  'Grund',
  'Bemerkung',
  'Anledning',
  'Kommentti',
  'Motif',
  'Motivo',
  'Begrundelse',
  'Comment',
  'Internal note',
])('%s beside limits is not sent, and is quoted', async title => {
  const {code, said} = await run(`Konto;creditLimit;${title}\n2001;4100;on request\n2001;4200;\n`)
  expect([code, await sent()], said).toEqual([0, 2])
  expect(said).toContain(`The column ${title} is not sent: it has remarks on the rows. Line 2: on request.`)
})

it.each([
  ['a reason for a status', 'Konto;status;Grund\n2001;ACCOUNT_BLOCKED;card lost\n', []],
  ['a reason for the status of all rows', 'Konto;Grund\n2001;card lost\n', ['-F', 'status=ACCOUNT_BLOCKED']],
  ['another number', 'Konto;creditLimit;Bemerkung\n2001;4100;only 500\n', []],
  ['the name of something else', 'Konto;creditLimit;Kunde\n2001;4100;Berg\n', []],
])('%s is asked for as before', async (_, rows, more) => {
  const {code, said} = await run(rows, ...more)
  expect([code, await sent()]).toEqual([2, 0])
  expect(said).toContain('is not known here')
})

it('a remark that holds its row back still does', async () => {
  const {code, said} = await run('Konto;creditLimit;Bemerkung\n2001;4100;\n2002;4200;nicht ändern\n')
  expect([code, await sent()]).toEqual([2, 0])
  expect(said).toContain('may say that rows are not to be sent: line 3')
})

it.each([
  ['in one row', 'Konto;creditLimit;Bemerkung\n2001;4100;Urlaub\n;4100;auch fuer Frau Meier\n'],
  ['of several', 'Konto;creditLimit;Bemerkung\n2001;4100;a\n2001;4200;b\n;8300;Kunde Lindqvist\n'],
])('a row without its id is no sum though it comes to as much as the rows above it: %s', async (_, rows) => {
  const {code, said} = await run(rows)
  expect([code, await sent()], said).toEqual([2, 0])
  expect(said).toContain('its words may be of a row')
})

it('a sum is told by its word', async () => {
  const {code, said} = await run('Konto;creditLimit;Bemerkung\n2001;4100;a\n2001;4200;b\n;8300;Summe EUR\n')
  expect([code, await sent()], said).toEqual([0, 2])
  expect(said).toContain('Line 4 is left out: it is the sum of the rows.')
})

it.each([
  'noch nicht genehmigt',
  'nur Anfrage, noch nicht genehmigt',
  'wartet auf Freigabe',
  'pending approval',
  'bitte nicht',
  'pas encore validé',
])('a remark that nobody has agreed yet holds its row back: %s', async remark => {
  const {code, said} = await run(`Konto;creditLimit;Bemerkung\n2001;4100;${remark}\n2001;4200;ok\n`)
  expect([code, await sent()], said).toEqual([2, 0])
  expect(said).toContain('--marked-rows')
})
