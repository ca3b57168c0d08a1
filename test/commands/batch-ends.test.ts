import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

/** One transfer that is booked, and two that fail: to an account that doesn't exist, and of money that isn't there. */
const THREE = ['2006:2007:1.25:EUR:a', '2006:999999:2.50:EUR:b', '2006:2007:99999999:EUR:c']

async function send(transfers = THREE, ...more: string[]): Promise<string> {
  const flags = transfers.flatMap(one => ['--transfer', one])
  const [batch] = [await home.json<{id: string}>(['a2a', 'create', ...flags, '--yes', ...more])].flat()
  return batch?.id ?? ''
}

/** `a2a create` of these transfers, with more flags. */
const sending =
  (transfers: readonly string[], ...always: readonly string[]) =>
  (...more: readonly string[]) =>
    home.run(['a2a', 'create', ...transfers.flatMap(one => ['--transfer', one]), '--yes', ...always, ...more])

const requestOf = async (): Promise<string> =>
  (await home.json<{id: string}[]>(['requests', 'list']))[0]?.id ?? ''

/** The places where a person reads how a request ended. */
async function told(): Promise<readonly string[]> {
  const outputs = [
    await home.run(['history', 'account', '2006']),
    await home.run(['requests', 'list']),
    await home.run(['requests', 'show', await requestOf()]),
    await home.run(['report', 'shift', '--local']),
  ]
  return outputs.map(({stdout}) => stdout)
}

describe('a batch that the service accepted', () => {
  test('is not told as done before its end was read', async () => {
    await send()
    for (const text of await told()) {
      expect(text).toContain('accepted')
      expect(text).not.toMatch(/ {2}done\b/)
    }
    const {stdout} = await home.run(['report', 'shift', '--local'])
    expect(stdout).toContain('1 without a known end')
    expect(stdout).not.toContain('nothing open')
  })

  test.each([
    ['a2a', 'watch'],
    ['a2a', 'get'],
    ['a2a', 'status'],
  ])('is told by its transfers once `%s %s` has read them', async (...words) => {
    const id = await send()
    await home.run(['a2a', 'watch', id])
    await home.run([...words, id])
    for (const text of await told()) expect(text).toContain('2 of 3 failed')
    const {stdout} = await home.run(['report', 'shift', '--local'])
    expect(stdout).toContain('1 batch with failed transfers')
  })

  test('is told the same after the list of batches, and after a request of one’s own', async () => {
    const id = await send()
    await home.run(['a2a', 'watch', id])
    const [own] = await home.json<{batchEnd: object}[]>(['requests', 'list'])
    expect(own?.batchEnd).toEqual({state: 'COMPLETED_WITH_ERRORS', transfers: 3, booked: 1, failed: 2})
    await send(['2006:2007:99999998:EUR:d'])
    await home.run(['a2a', 'list'])
    await home.run(['api', 'GET', '/v1/a2a/batches/88002'])
    expect((await told())[1]).toContain('all failed')
  })

  test('is done when each transfer was booked', async () => {
    await send(['2006:2007:1.25:EUR:a'], '--wait')
    const [history, list, , shift] = await told()
    expect(list).toMatch(/\bdone\b/)
    expect(history).toMatch(/^.*send transfers.*done$/m)
    expect(shift).toContain('nothing open')
  })

  test('is not "done" for requests resolve, which asks the service for its transfers', async () => {
    const id = await send()
    await home.run(['a2a', 'watch', id])
    const request = await requestOf()
    const {stdout} = await home.run(['requests', 'resolve', request])
    expect(stdout).toMatch(
      /^Yes, the service accepted it: send transfers .*Of its transfers, 2 of 3 failed\.$/m,
    )
    expect(await home.json(['requests', 'resolve', request])).toMatchObject({
      verdict: 'had effect',
      replyId: id,
      batchEnd: {booked: 1, failed: 2},
    })
  })
})

describe('a set that was sent as several batches', () => {
  const SET = ['2006:2007:1.10:EUR', '2006:2007:1.20:EUR', '2006:2007:1.30:EUR', '2006:2007:1.40:EUR']
  const create = sending(SET, '--batch-size', '1')

  test('is open until its last batch was sent, wherever it is told', async () => {
    const fault = [
      '--operation',
      'a2a.create.v1',
      '--match',
      '/transfers/0/amount=1.3',
      '--drop',
      'after',
      '--count',
      '1',
    ]
    expect(await home.run(['sandbox', 'faults', 'add', ...fault])).toMatchObject({code: 0})
    expect((await create()).code).not.toBe(0)
    const request = await requestOf()
    const resolved = await home.run(['requests', 'resolve', request])
    expect(resolved.stdout).toContain('1 of 4 batches of the set was not sent')
    const shift = await home.run(['report', 'shift'])
    expect(shift.stdout).toContain('1 of 4 batches not sent')
    expect(shift.stdout).toContain('a2a create --from FILE --batch-size 1 --rest')
    expect(await home.json(['report', 'shift'])).toMatchObject({open: 1, openJobs: [{batches: 4, left: 1}]})
    expect((await home.run(['report', 'shift', '-o', 'csv'])).stdout).toContain('not finished')
    expect(await create('--rest')).toMatchObject({code: 0})
    expect(await home.json(['report', 'shift'])).toMatchObject({open: 0, openJobs: []})
    expect((await home.run(['requests', 'resolve', request])).stdout).not.toContain('not sent')
  })
})

test('the rest of a set is not sent a second time after it went in another way', async () => {
  const SET = ['2006:2007:1.10:EUR', '2006:2007:1.20:EUR', '2006:2007:1.30:EUR']
  const create = sending(SET, '--batch-size', '1')
  const fault = [
    '--operation',
    'a2a.create.v1',
    '--match',
    '/transfers/0/amount=1.2',
    '--drop',
    'before',
    '--count',
    '1',
  ]
  await home.run(['sandbox', 'faults', 'add', ...fault])
  expect((await create()).code).not.toBe(0)
  await home.run([
    'requests',
    'resolve',
    await requestOf(),
    '--found',
    'no-effect',
    '--because',
    'looked',
    '--yes',
  ])
  expect(await home.run(['a2a', 'create', '--transfer', '2006:2007:1.30:EUR', '--yes'])).toMatchObject({
    code: 0,
  })
  const before = (await home.json<unknown[]>(['requests', 'list'])).length
  const {code, stderr} = await create('--rest')
  expect(stderr).toContain('1 of these 2 transfers was sent already: row 3 in batch')
  expect(stderr).toContain('pass --only-new in place of --rest')
  expect(code).toBe(14)
  expect(await home.json<unknown[]>(['requests', 'list'])).toHaveLength(before)
  expect(await create('--only-new')).toMatchObject({code: 0})
})

test.each([
  ['ended with errors that nobody counted', {status: 'COMPLETED_WITH_ERRORS', transferItemCount: 3}],
  [
    'ended with errors, but counts none',
    {status: 'COMPLETED_WITH_ERRORS', transferItemCount: 3, failedTransferItems: 0},
  ],
  [
    'is complete, but booked fewer than it has',
    {status: 'COMPLETED', transferItemCount: 3, successfulTransferItems: 1, failedTransferItems: 0},
  ],
])('a batch that %s is not "done"', async (_, counts) => {
  const service = await openService(({url}) =>
    url.includes('/status')
      ? reply(200, {id: '88001', startTime: '2026-11-29T10:00:00', totalAmount: {}, ...counts})
      : undefined,
  )
  onTestFinished(() => service.close())
  const add = ['profiles', 'add', 'far', '--kind', 'sandbox', '--base-url', service.url, '--auth', 'none']
  await home.json([...add, '--profile-audit-user', 'aino'])
  const far = ['-p', 'far']
  const transfers = THREE.flatMap(one => ['--transfer', one])
  expect(await home.run(['a2a', 'create', ...transfers, '--yes', ...far])).toMatchObject({code: 0})
  await home.run(['a2a', 'status', '88001', ...far])
  expect((await home.run(['requests', 'list', ...far])).stdout).toContain('some failed')
  expect((await home.run(['report', 'shift', '--local', ...far])).stdout).toContain(
    '1 batch with failed transfers',
  )
})

test('what was never sent is not told as failed', async () => {
  const SET = ['2006:2007:1.10:EUR', '2006:999999:1.15:EUR', '2006:2007:1.20:EUR', '2006:2007:1.30:EUR']
  const create = sending(SET)
  const fault = ['--operation', 'a2a.create.v1', '--match', '/transfers/0/amount=1.2', '--status', '400']
  await home.run(['sandbox', 'faults', 'add', ...fault])
  expect((await create('--batch-size', '2')).code).not.toBe(0)
  await home.run(['a2a', 'watch', '88001'])
  const {code, stderr} = await create()
  expect(code).toBe(14)
  expect(stderr).toContain('1 of them was sent, 1 failed, 2 were never sent.')
  expect(stderr).toContain('To send only what failed or was never sent, as it is, add --only-new.')
})

test('an enrolment that the network refuses later is not open to a shift that has read it', async () => {
  const enroll = [
    'remotecheckout',
    'enroll',
    '--customer',
    '1001',
    '--card',
    '3004',
    '--email',
    'a@b.example',
    '--yes',
  ]
  await home.run([...enroll, '--no-check-input'])
  expect(await home.json(['report', 'shift', '--local'])).toMatchObject({accepted: 1})
  const shift = await home.run(['report', 'shift', '--local'])
  expect(shift.stdout).toContain('1 without a known end')
  expect(shift.stdout).not.toContain('nothing open')
})
