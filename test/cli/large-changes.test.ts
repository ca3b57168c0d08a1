// A change of an amount that looks like a slip of a digit or of the decimal sign is named before it is sent.
import {writeFile} from 'node:fs/promises'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'
import {runs} from '../helpers/whole.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  const add = ['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url]
  await home.json([...add, '--profile-audit-user', 'aino'])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')
const limit = (amount: string, ...more: string[]) =>
  home.run(['accounts', 'limit', '2001', amount, '--type', 'credit', '-p', 'prod', '--yes', ...more])

describe.each([
  ['600', '6000', 'creditLimit: 600 was last sent from here, now 6 000: 10 times as much or more.'],
  ['1.1', '11', 'creditLimit: 1.1 was last sent from here, now 11: 10 times as much or more.'],
  ['6000', '6', 'creditLimit: 6 000 was last sent from here, now 6: a tenth or less.'],
  ['0', '5', 'creditLimit: 0 was last sent from here, now 5.'],
  ['5000', '0', 'creditLimit: 5 000 was last sent from here, now 0.'],
])('%s to %s', (before, after, said) => {
  beforeEach(() => limit(before))

  it('is noted without a terminal', async () => {
    const {code, stderr} = await limit(after)
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain(said)
  })

  it.each([[], ['-q']])('is a warning of a line of JSON for a program, also with %j', async (...quiet) => {
    const {stderr} = await limit(after, '-o', 'json', ...quiet)
    expect(stderr.split('\n').map(line => (line.startsWith('{') ? JSON.parse(line) : {}))).toContainEqual({
      warning: {code: 'LARGE_CHANGE', message: said.replaceAll(/(?<=\d) (?=\d{3})/g, '\u202f')},
    })
  })

  it('is named in the question, also with --quiet', async () => {
    const argv = [
      'accounts',
      'patch',
      '2001',
      '--type',
      'credit',
      '-F',
      `creditLimit=${after}`,
      '-p',
      'prod',
      '-q',
    ]
    const {stderr} = await home.run(argv, {columns: 200, typed: [['Type 2001 to confirm:', 'no']]})
    expect(unwrapped(stderr.slice(0, stderr.indexOf('Type 2001')))).toContain(said)
    expect(service.requests).toHaveLength(1)
  })

  it('is noted by api too', async () => {
    const {stderr} = await home.run([
      'api',
      'PATCH',
      '/v4/CREDIT/2001',
      '-F',
      `creditLimit=${after}`,
      '-p',
      'prod',
      '--yes',
    ])
    expect(unwrapped(stderr)).toContain(said)
  })
})

it.each([
  ['600', '5999.99'],
  ['6000', '600.01'],
  ['5000', '5000'],
  ['0', '0'],
])('%s to %s is as usual', async (before, after) => {
  await limit(before)
  expect((await limit(after)).stderr).not.toContain('last sent from here, now')
})

it('a first limit, that of another account and a refused one say nothing', async () => {
  await home.run(['accounts', 'limit', '2002', '1', '--type', 'credit', '-p', 'prod', '--yes'])
  expect((await limit('6000')).stderr).not.toContain('last sent')
  await service.close()
  await limit('5')
  expect((await limit('7000')).stderr).not.toContain('last sent')
})

it('0 in usage limits is said to be no limit', async () => {
  const limits = (sum: number) =>
    home.run([
      ...['accounts', 'patch', '2001', '--type', 'credit', '-p', 'prod', '--yes', '-F'],
      `usageLimits=[{"code":"DAILY","values":[{"code":"ATM","sumAmount":7},{"code":"ALL","sumAmount":${sum}}]}]`,
    ])
  await limits(500)
  const {stderr} = await limits(0)
  expect(unwrapped(stderr)).toContain(
    'usageLimits DAILY values ALL sumAmount: 500 was last sent from here, now 0 (no limit).',
  )
  expect(stderr).not.toContain('ATM')
})

it('bulk rows are counted, and the first one is named', async () => {
  await limit('600')
  const from = `${home.folder}/rows.csv`
  await writeFile(from, 'id,creditLimit\n2002,5000\n2001,6000\n2003,1\n2001,60\n')
  const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', from, '-p', 'prod']
  const said =
    '2 of 4 rows change an amount to ten times as much or more, to a tenth or less, or from or to 0. Row 2, creditLimit: 600 was last sent from here, now 6 000: 10 times as much or more.'
  const asked = await home.run(run, {columns: 200, typed: [['Type prod to confirm:', 'no']]})
  expect(unwrapped(asked.stderr)).toContain(said)
  expect(service.requests).toHaveLength(1)
  expect(unwrapped((await home.run([...run, '--yes'])).stderr)).toContain(said)
})

it('whatever the amounts, exactly changes by a factor of ten and those from or to 0 are named', async () => {
  let before: number | undefined
  const amount = fc.oneof(
    fc.constant(0),
    fc.integer({min: 1, max: 999_999}).map(cents => cents / 100),
  )
  await fc.assert(
    fc.asyncProperty(amount, async after => {
      const {stderr} = await limit(String(after), '--decimal', 'point')
      const cents = [before ?? after, after].map(value => Math.round(value * 100)).sort((a, b) => a - b)
      const [small = 0, large = 0] = cents
      expect(stderr.includes('last sent from here, now'), `${before} -> ${after}`).toBe(
        small !== large && large >= 10 * small,
      )
      before = after
    }),
    {numRuns: runs(60)},
  )
})
