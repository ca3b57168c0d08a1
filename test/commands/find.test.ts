import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {SERVICE_PLACES} from '../../src/commands/find/shared/places.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {createSandbox} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Report {
  readonly found: readonly {kind: string; id: string; about: string; command: string; value: unknown}[]
  readonly lookedIn: readonly {what: string; result: string; why?: string}[]
}

const BID = ['--bid', 'ISSUER-1']
const find = (...words: string[]) => home.json<Report>(['find', ...words])
const kinds = ({found}: Report) => found.map(({kind, id}) => `${kind} ${id}`)
const enrol = () => home.json(['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', ...BID])

describe('find', () => {
  test.each([
    ['3001', 'card 3001'],
    ['900000000003001', 'card 3001'],
    ['1001', 'customer 1001'],
    ['2001', 'account 2001'],
    [' 3001 ', 'card 3001'],
  ])('%s finds the %s', async (text, thing) => {
    expect(kinds(await find(text))).toEqual([thing])
  })

  test('shows the same screen as the command of its topic, and what to do next', async () => {
    const {stdout, stderr} = await home.run(['find', '3001'])
    expect(stdout).toBe((await home.run(['cards', 'get', '3001'])).stdout)
    expect(stderr).toContain('cardctl history card 3001 -p sandbox')
  })

  test.each([
    ['a stolen or lost card: cardctl help stolen', 'stolen card'],
    ['a stolen or lost card: cardctl help stolen', 'card', 'stolen'],
    ['it has no standing orders', 'standing', 'order'],
    ["To search the help: cardctl help --search 'Anna Virtanen'", 'Anna', 'Virtanen'],
  ])('leads to %s', async (lead, ...words) => {
    const {code, stderr} = await home.run(['find', ...words])
    expect(code).toBe(5)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(lead)
  })

  test('takes one id at a time, and no flag that it does not know', async () => {
    expect((await home.run(['find', '3001', '3002'])).stderr).toContain('Pass one id at a time.')
    expect((await home.run(['find', 'stolen', 'card', '--foo'])).stderr).toContain('There is no flag --foo')
    expect((await home.run(['find', '4111', '1111', '1111', '1111'])).stderr).toContain('SENSITIVE_IN_ARGV')
  })

  test('with -p, leads to the history of all profiles', async () => {
    // What was found may have been changed with another profile.
    const {stderr} = await home.run(['find', '3001', '-p', 'sandbox'])
    expect(stderr).toMatch(/cardctl history card 3001 .*--all-profiles/)
    expect((await home.run(['find', '3001'])).stderr).not.toContain('--all-profiles')
  })

  test('says that a customer has more cards than it shows', async () => {
    const options = {columns: 80, typed: [['Several things have this id', '']]} as const
    const {stdout, stderr} = await home.run(['find', '1003'], options)
    expect(stdout.match(/^ 3\d{3} /gm)).toHaveLength(30)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'These are the first 30. For all: cardctl cards list --customer 1003 --all -p sandbox',
    )
    expect((await home.run(['find', '2001'])).stderr).not.toContain('the first')
    // Where nobody reads along, the list is whole.
    expect((await home.run(['find', '1003'])).stderr).not.toContain('the first')
  })

  test('gives a program all cards of a customer', async () => {
    const {found} = await find('1003')
    expect(found.find(({kind}) => kind === 'customer')).toMatchObject({
      about: '35 cards',
      value: {length: 35},
    })
  })

  test('ends with the failure of a later page, and keeps the cards before it', async () => {
    let page = 0
    const service = await openService(({url}) => {
      if (!url.includes('/v4/customer/1003')) return reply(404, {title: 'Not Found'})
      const items = Array.from({length: 100}, (_, at) => ({id: String(at), status: 'CARD_OK'}))
      return page++ === 0 ? reply(200, items) : reply(403, {title: 'No'})
    })
    onTestFinished(() => service.close())
    await home.run(['profiles', 'add', 'own', '--base-url', service.url, '--kind', 'test', '--auth', 'none'])
    const {code, stdout, stderr} = await home.run(['find', '1003', '-p', 'own', '-o', 'json'])
    expect({code, report: JSON.parse(stdout)}).toMatchObject({
      code: 4,
      report: {found: [{value: {length: 100}}]},
    })
    expect(stderr).toContain('"complete":false')
  })

  test('finds a batch, a trace, a request, its key and a bulk job', async () => {
    const [{id: batch} = {id: ''}] = await home.json<{id: string}[]>([
      'a2a',
      'create',
      '--transfer',
      '2006:2007:1:EUR',
      '--yes',
    ])
    const {requestTraceId} = (await enrol()) as {requestTraceId: string}
    await home.run(['accounts', 'limit', '2001', '5', '--type', 'credit', '--idempotency-key', 'my-own-key'])
    const stdin = 'id,creditLimit\n2001,500\n'
    await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes'], {stdin})
    const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
    const list = await home.json<{id: string; key?: string}[]>(['requests', 'list'])
    const keyed = list.find(({key}) => key === 'my-own-key')?.id ?? ''
    expect(kinds(await find(batch))).toEqual([`batch ${batch}`])
    expect(kinds(await find(requestTraceId))).toEqual([`trace ${requestTraceId}`])
    expect(kinds(await find(keyed))).toEqual([`request ${keyed}`])
    expect(kinds(await find('my-own-key'))).toEqual([`request ${keyed}`])
    expect(kinds(await find(job))).toEqual([`job ${job}`])
  })

  test('leads from a control id to its plastic, and from a price list to what was done here', async () => {
    const {id} = await home.json<{id: string}>(['pincontrol', 'create', '7001', '--scope', 'set'])
    expect(kinds(await find(id))).toEqual(['plastic 7001'])
    await home.json(['pricelists', 'patch', '5001', '--code', 'NEW'])
    expect(kinds(await find('5001'))).toEqual(['pricelist 5001'])
  })

  test('lists several things with the commands that show them, or lets a person choose', async () => {
    await enrol()
    await home.json(['sandbox', 'clock', 'advance', '1m'])
    expect(kinds(await find('1001', ...BID))).toEqual(['customer 1001', 'enrolment 1001'])
    const {stdout} = await home.run(['find', '1001', ...BID])
    expect(stdout).toMatch(/enrolment +1001 .* cardctl remotecheckout get --customer 1001 -p sandbox/)
    const chosen = await home.run(['find', '1001', ...BID], {typed: [['Several things', '']]})
    expect(chosen.stdout).toContain('Aino Virtanen')
    expect(chosen.stderr).toContain('cardctl history customer 1001 -p sandbox')
  })

  test('as CSV has a row for each thing, and as JSON lines one line', async () => {
    const csv = await home.run(['find', '3001', '-o', 'csv', '--columns', 'kind,id', '--no-header'])
    expect(csv.stdout).toBe('card,3001\n')
    const {stdout} = await home.run(['find', '3001', '-o', 'ndjson'])
    expect(kinds(JSON.parse(stdout))).toEqual(['card 3001'])
  })

  test.each(['--ticket', '--note'])('refuses %s, because a read is not recorded', async flag => {
    expect(await home.run(['find', '3001', flag, 'X'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`There is no flag ${flag}.`),
    })
  })

  test('asks what to look for if the command line does not say it', async () => {
    const {stdout} = await home.run(['find'], {
      typed: [
        ['Which of these do you have?', ''],
        ['\u001b[K? Id, reference number', '3001'],
      ],
    })
    expect(stdout).toContain('Card 3001')
  })

  test('takes a card number at the hidden prompt or from stdin, and nowhere else', async () => {
    const {code, stdout} = await home.run(['find', '--card-number'], {stdin: '4111 1111 1111 1111\n'})
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('Card 3001')})
    const typed = await home.run(['find', '4111111111111111'])
    expect(typed).toMatchObject({code: 2, stderr: expect.stringContaining('find --card-number')})
    expect(await home.run(['find', '3001', '--card-number'])).toMatchObject({code: 2})
  })

  test('says where it looked if there is nothing', async () => {
    const {code, stdout, stderr} = await home.run(['find', '99999'])
    expect({code, stdout}).toEqual({code: 5, stdout: ''})
    expect(stderr).toMatch(/Looked for .*a card by id, .*cards of an account, a batch/)
    expect((await home.run(['find', 'Korhonen'])).stderr).toContain('no search by name')
    // An account without cards is nowhere but in the records of this machine.
    for (const id of ['2007', '99999'])
      expect((await home.run(['find', id])).stderr).toContain(`cardctl history account ${id}`)
    expect((await home.run(['find', 'is it on the way'])).stderr).toContain('help --search')
  })

  test('says what it did not look for without a customerBID', async () => {
    const sandbox = await createSandbox()
    const server = await sandbox.serve()
    onTestFinished(async () => {
      await server.close()
      await sandbox.close()
    })
    const add = ['profiles', 'add', 'other', '--kind', 'sandbox', '--base-url', server.url, '--auth', 'none']
    expect(await home.run(add)).toMatchObject({code: 0})
    const {code, stderr} = await home.run(['find', '99999', '-p', 'other'])
    expect({code, stderr}).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(
        'Did not look for an enrolled customer: The profile has no customerBID.',
      ),
    })
  })

  test('names what could not be looked up, and does not call that nothing', async () => {
    const fault = ['sandbox', 'faults', 'add', '--operation', 'a2a.get.v1', '--status', '403']
    expect((await home.run(fault)).code).toBe(0)
    const {code, stdout, stderr} = await home.run(['find', '3001'])
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('Card 3001')})
    expect(stderr).toContain('Could not look for a batch')
    expect((await home.run(fault)).code).toBe(0)
    expect((await home.run(['find', '99999'])).code).toBe(4)
  })

  test('leaves no entry in the journal', async () => {
    await find('3001')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })
})

test('every rule is a read', () => {
  for (const {read} of SERVICE_PLACES) {
    const call = read('1', 'ISSUER-1')
    expect(call && operations[call.operation].effect).toBe('read')
  }
})
