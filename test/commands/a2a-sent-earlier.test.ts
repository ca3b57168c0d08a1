// Transfers of a set that were sent before in another set.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const DAY = 86_400_000
const CREATE = ['a2a', 'create', '--from', '-', '--yes']
const HEADER = 'from,to,amount,currency,text\n'
const row = (n: number, text = '') => `2006,2007,${n}.10,EUR,${text}\n`
const file = (...numbers: number[]) => HEADER + numbers.map(n => row(n)).join('')

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const send = (stdin: string, flags: readonly string[] = [], more: {now?: () => number} = {}) =>
  home.run([...CREATE, ...flags], {stdin, ...more})
const batches = async () =>
  withoutDemo(await home.json<{id: string; transferItemCount: number}[]>(['a2a', 'list', '--all']))
const counts = async () => (await batches()).map(({transferItemCount}) => transferItemCount)

describe('without a question, a set is refused', () => {
  test('that has transfers of an earlier one, naming rows and batch', async () => {
    await send(file(1, 3))
    const [batch] = await batches()
    const {code, stderr} = await send(file(1, 2, 3, 4, 5))
    expect(code).toBe(14)
    expect(stderr).toContain(`2 of these 5 transfers were sent already: rows 1 and 3 in batch ${batch?.id}`)
    expect(stderr).toContain('To send only the others, add --only-new')
    expect(stderr).toContain('--again')
    expect(await counts()).toEqual([2])
    expect((await send(file(2, 4, 5))).code, 'the others').toBe(0)
    expect((await send(file(1, 2, 3, 4, 5), ['--again'])).code).toBe(0)
    expect(
      (await send(file(1, 6), ['--clock-is-right'], {now: () => Date.now() + 7 * DAY + 1000})).code,
      'after 7 days',
    ).toBe(0)
  })

  test('that is a part of an earlier one', async () => {
    await send(file(1, 2, 3))
    const {code, stderr} = await send(file(2), ['-o', 'json'])
    expect(code).toBe(14)
    const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    const [batch] = await batches()
    expect(error).toMatchObject({code: 'ALREADY_SENT', effect: 'none'})
    expect(error.earlier ?? error.data?.earlier).toMatchObject([{batch: batch?.id, state: 'done', rows: [1]}])
  })

  test('that has more than a request records in full, naming 5 rows', async () => {
    const many = Array.from({length: 30}, (_, at) => at + 1)
    await send(file(...many))
    const {code, stderr} = await send(file(...many, 31))
    expect(code).toBe(14)
    expect(stderr).toContain('30 of these 31 transfers were sent already: rows 1, 2, 3, 4 and 5 in batch')
    expect(stderr).toContain('; 25 more')
    expect(stderr).toContain('add --only-new')
  })

  test('whose earlier request has an unknown effect, but not after a refusal', async () => {
    const fault = ['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', '--count', '1']
    await home.run([...fault, '--status', '422'])
    expect((await send(file(1, 2))).code).toBe(6)
    await home.run([...fault, '--drop', 'after'])
    expect((await send(file(1, 3))).code).toBe(10)
    const {code, stderr} = await send(file(1, 2, 3, 4))
    expect(code).toBe(14)
    expect(stderr).toContain('rows 1 and 3 in request r_')
    expect(stderr).toContain('effect unknown')
    expect(stderr).toContain('requests resolve r_')
  })
})

test('a transfer is found however it is written, also if its effect is unknown', async () => {
  const transfer = (text: string) => home.run(['a2a', 'create', '--transfer', text, '--yes'])
  const others = ['02006:2007:8:EUR:L', '2006:002007:8:EUR:L', '2006:2007:8.00:EUR:L', '2006:2007:8:EUR:L ']
  await home.run('sandbox faults add --operation a2a.create.v1 --count 1 --drop after'.split(' '))
  expect((await transfer('2006:2007:8:EUR:L')).code).toBe(10)
  for (const text of others) expect([text, (await transfer(text)).code]).toEqual([text, 10])
  const {code} = await home.run(['a2a', 'create', '--transfer', others[0] ?? '', '--yes', '--again'])
  expect(code).toBe(0)
  const mixed = ['--transfer', '2006:2007:9:EUR', '--transfer', '2006:02007:8:EUR:L']
  expect((await home.run(['a2a', 'create', ...mixed, '--yes'])).code).toBe(14)
  const twice = await home.run(['a2a', 'create', ...others.flatMap(one => ['--transfer', one]), '--yes'])
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('--same-rows 3')])
})

test('other amounts, accounts and texts are other transfers, and two equal rows of a file too', async () => {
  await send(HEADER + row(1, 'rent'))
  expect((await send(HEADER + row(1, 'cellar') + row(2))).code).toBe(0)
  expect((await send(HEADER + row(3) + row(3), ['--same-rows', '1'])).code).toBe(0)
  const {stderr} = await send(HEADER + row(3) + row(3) + row(3), ['--same-rows', '2'])
  expect(stderr).toContain('2 of these 3 transfers were sent already: rows 1 and 2 in')
})

test('transfers that failed may be sent again with others', async () => {
  const failing = `${HEADER}2006,2007,1.10,EUR,\n2006,9999,2.10,EUR,\n`
  expect((await home.run([...CREATE, '--wait'], {stdin: failing})).code).toBe(11)
  expect((await send(`${HEADER}2006,9999,2.10,EUR,\n2006,2007,7.10,EUR,\n`)).code).toBe(0)
  const {code, stderr} = await send(`${failing}2006,2007,8.10,EUR,\n`)
  expect(code).toBe(14)
  expect(stderr).toMatch(/row 1 in batch/)
})

test('a request that was sent again with requests retry counts', async () => {
  await home.run('sandbox faults add --operation a2a.create.v1 --count 1 --status 422'.split(' '))
  expect((await send(file(1, 2))).code).toBe(6)
  expect((await home.run(['requests', 'retry', 'last', '--yes'])).code).toBe(0)
  expect((await send(file(1, 5))).code).toBe(14)
})

describe('on a terminal a person chooses', () => {
  const argv = ['a2a', 'create', ...[1, 2, 3].flatMap(n => ['--transfer', `2006:2007:${n}.10:EUR`])]
  const DOWN = '\u001b[B'
  const answer = (keys: string, ...more: [string, string][]) =>
    home.run(argv, {typed: [['What do you want to send?', keys], ...more]})

  test('only the new one by default, which is then confirmed alone', async () => {
    await send(file(1, 3))
    const sent = await answer('', ['Continue?', 'y'])
    expect(sent.code).toBe(0)
    const said = sent.stderr.replaceAll(/\s+/g, ' ')
    expect(said).toContain('2 of these 3 transfers were sent already: rows 1 and 3 in batch')
    expect(said).toContain('Only the other one: EUR 2.10')
    expect(said).toContain('send 1 transfer: EUR 2.10')
    expect((await counts()).sort()).toEqual([1, 2])
  })

  test('nothing, or all with the sum that is repeated', async () => {
    await send(file(1, 3))
    const none = await answer(DOWN)
    expect(none.code).toBe(2)
    expect(await counts()).toEqual([2])
    const all = await answer(DOWN + DOWN, ['Continue?', 'y'])
    expect(all.code).toBe(0)
    expect(all.stderr.replaceAll(/\s+/g, ' ')).toContain('EUR 4.20 is sent a second time')
    expect((await counts()).sort()).toEqual([2, 3])
  })

  test('but not what is new while the effect of an earlier one is unknown', async () => {
    await home.run('sandbox faults add --operation a2a.create.v1 --count 1 --drop after'.split(' '))
    expect((await send(file(1, 3))).code).toBe(10)
    const asked = await answer('')
    expect(asked.code).toBe(2)
    expect(asked.stderr).not.toContain('Only the new')
    const {code, stderr} = await send(file(1, 2, 3), ['--only-new'])
    expect([code, stderr]).toEqual([10, expect.stringContaining('requests resolve r_')])
  })
})

describe('--only-new', () => {
  test('sends each transfer once, however often it is run', async () => {
    await send(file(1, 3))
    expect((await send(file(1, 2, 3, 4), ['--only-new'])).code).toBe(0)
    expect((await counts()).sort()).toEqual([2, 2])
    const {code, stderr} = await send(file(1, 2, 3, 4), ['--only-new'])
    expect([code, stderr]).toEqual([14, expect.stringContaining('None is left to send')])
    expect(
      (await send(file(2, 5, 4), ['--only-new', '--confirm-count', '3'])).code,
      'counts what is left',
    ).toBe(2)
    expect((await counts()).sort()).toEqual([2, 2])
  })

  test('sends what failed of the same file, which the refusal says', async () => {
    const rows = `${HEADER}2006,2007,1.10,EUR,\n2006,9999,2.10,EUR,\n`
    expect((await send(rows, ['--wait'])).code).toBe(11)
    const [batch] = await batches()
    const refused = await send(rows)
    expect(refused.code).toBe(14)
    expect(refused.stderr).toContain('1 of them was sent, 1 failed')
    expect(refused.stderr).toContain(`a2a get ${batch?.id} --failed-to failed-${batch?.id}.csv`)
    expect(refused.stderr).not.toContain('--again')
    expect((await send(rows, ['--only-new'])).code).toBe(0)
    expect((await counts()).sort()).toEqual([1, 2])
    const retried = await home.run(['a2a', 'create', '--retry-failed', batch?.id ?? '', '--yes'])
    expect(retried.code, 'sent since').toBe(2)
  })

  test('sends all of a file of which everything failed', async () => {
    const rows = `${HEADER}2006,9999,2.10,EUR,\n`
    expect((await send(rows, ['--wait'])).code).toBe(11)
    expect((await send(rows)).code).toBe(14)
    expect((await send(rows, ['--only-new'])).code).toBe(0)
    expect(await counts()).toEqual([1, 1])
  })
})

test('--dry-run names them too, and sends and reads nothing', async () => {
  await send(file(1, 3))
  const [batch] = await batches()
  const dry = async (stdin: string, ...flags: string[]) => {
    const {code, stdout, stderr} = await send(stdin, ['--dry-run', ...flags])
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('"transfers"')})
    return stderr
  }
  await home.run(['sandbox', 'faults', 'add', '--operation', 'a2a.get.v1', '--status', '500'])
  expect(await dry(file(1, 2))).toContain(
    `1 of these 2 transfers was sent already: row 1 in batch ${batch?.id}`,
  )
  expect(await dry(file(2))).not.toContain('sent already')
  expect(await dry(file(1, 2), '--again')).not.toContain('sent already')
  expect(await counts()).toEqual([2])
})

test('until an unknown effect is known, the transfers are refused, and finding out sends none', async () => {
  const line = 'a2a create --transfer 2006:2007:8:EUR:L --yes'.split(' ')
  await home.run('sandbox faults add --operation a2a.create.v1 --count 1 --drop after'.split(' '))
  const {stderr} = await home.run(line)
  expect(stderr).toMatch(
    /a2a create refuses the same transfers\. Find out what happened, which sends none: cardctl requests resolve r_/,
  )
  expect((await home.run(line)).code).toBe(10)
  expect((await home.run('requests resolve last'.split(' '))).code).toBe(0)
  expect(await batches()).toHaveLength(1)
  await home.run('sandbox faults add --operation a2a.create.v1 --count 1 --drop after'.split(' '))
  const unmarked = await home.run([...line, '--again', '--no-reference'])
  expect(unmarked.stderr).toContain('Check what happened: cardctl requests resolve r_')
})
