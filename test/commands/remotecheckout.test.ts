import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

let home: Home
let now: number
beforeEach(async () => {
  home = await openHome()
  now = Date.now()
})
afterEach(() => home.remove())

/** Each look at the clock takes a second, so that --wait gets to the outcome without waiting for real. */
const ticking: RunOptions = {now: () => (now += 1000)}
const remote = (line: string, options?: RunOptions) =>
  home.run(['remotecheckout', ...line.split(' '), '--bid', 'ISSUER-1'], options)
const enrol = () => remote('enroll --customer 1001 --card 3001 --wait', ticking)

interface Customer {
  readonly customerInformation: {readonly status: string; readonly email: string[]; readonly phone: string[]}
  readonly paymentInstruments: {readonly cardId: string; readonly status: string}[]
}
const customer = async (): Promise<Customer> =>
  JSON.parse((await remote('get --customer 1001 -o json', ticking)).stdout)

describe('remotecheckout traces', () => {
  interface Trace {
    readonly traceId: string
    readonly resources: readonly string[]
    readonly status: string
    readonly ticket?: string
  }
  /** The clock moves by what is waited for. */
  const sleep = async (ms: number): Promise<void> => {
    now += Math.ceil(ms)
  }
  const slept: RunOptions = {now: () => now, sleep}
  const traces = (...flags: string[]) => home.json<Trace[]>(['remotecheckout', 'traces', ...flags], slept)

  it('lists what was started here until it has ended, and what has ended on request', async () => {
    expect(await traces()).toEqual([])
    const started = await remote('enroll --customer 1001 --card 3001 --ticket SUP-9 -o json', slept)
    const {requestTraceId} = JSON.parse(started.stdout)
    const [open] = await traces()
    expect(open).toMatchObject({traceId: requestTraceId, ticket: 'SUP-9'})
    expect(open?.resources).toContain('card:3001')
    const list = await home.run(['remotecheckout', 'traces'], {...slept, columns: 80})
    expect(list.stdout).toContain(requestTraceId)
    await home.run(['remotecheckout', 'status', requestTraceId, '--wait'], slept)
    expect(await traces()).toEqual([])
    expect(await traces('--ended')).toMatchObject([{traceId: requestTraceId, status: 'COMPLETED'}])
    now += 8 * 86_400_000
    expect(await traces('--ended')).toEqual([])
  })

  it('names what is in progress and the command that shows how it ends, in the report and the list', async () => {
    const {stdout} = await remote('enroll --customer 1001 --card 3001 -o json', slept)
    const {requestTraceId} = JSON.parse(stdout)
    const next = `cardctl remotecheckout status ${requestTraceId}`
    const report = (...flags: string[]) =>
      home.run(['report', 'shift', '--local', ...flags], {...slept, columns: 160})
    const list = () => home.run(['requests', 'list'], {...slept, columns: 160})
    expect((await report()).stdout).toMatch(new RegExp(`In progress at the network[\\s\\S]*${next}`))
    expect(JSON.parse((await report('-o', 'json')).stdout).entries).toMatchObject([
      {next: `${next} -p sandbox`},
    ])
    const page = join(home.folder, 'shift.html')
    await report('--html', page)
    expect(await readFile(page, 'utf8')).toContain(next)
    expect((await list()).stderr).toContain(next)
    await home.run(['remotecheckout', 'status', requestTraceId, '--wait'], slept)
    expect((await report()).stdout).not.toContain('In progress')
    expect((await list()).stderr).not.toContain('remotecheckout status')
  })

  it('records how it ended, once that was read: a refusal of the network is no success', async () => {
    const said = async (...words: string[]) => (await home.run(words, {...slept, columns: 120})).stdout
    const enroll = ['remotecheckout', 'enroll', '--bid', 'ISSUER-1', '--no-check-input']
    await home.run([...enroll, '--customer', '1001', '--card', '3001'], slept)
    expect(await said('history', 'card', '3001', '--local')).toMatch(/enrol customer 1001.*accepted/)
    await home.run([...enroll, '--customer', '1001', '--card', '3001', '--wait'], slept)
    await home.run([...enroll, '--customer', '1001', '--card', '3001', '--wait'], slept)
    expect(await said('history', 'card', '3001', '--local')).toMatch(
      /enrol customer 1001.*refused by the network[\s\S]*ALREADY_ENROLLED/,
    )
    expect(await said('requests', 'list')).toContain('refused by the network')
    expect(await said('requests', 'show', 'last')).toMatch(/refused by the network[\s\S]*ALREADY_ENROLLED/)
    const report = await home.json<{failed: number; open: number}>(
      ['report', 'shift', '--since', '1d'],
      slept,
    )
    expect(report.failed).toBeGreaterThanOrEqual(1)
    expect(await said('report', 'shift', '--since', '1d')).toMatch(/Failed[\s\S]*refused by the network/)
    const trail = await said('audit', 'list', '-o', 'json')
    expect(trail).toContain('"refused"')
    await said('remotecheckout', 'traces', '--ended')
    expect(await said('requests', 'list')).not.toContain('accepted')
    expect((await home.run(['audit', 'verify'], slept)).code).toBe(0)
  })

  it('tells that an operation failed that has ended', async () => {
    const started = await remote('enroll --card 3001 --no-check-input -o json', slept)
    const {requestTraceId} = JSON.parse(started.stdout)
    expect((await home.run(['remotecheckout', 'traces'], slept)).stderr).not.toContain('failed')
    await home.run(['remotecheckout', 'status', requestTraceId, '--wait'], slept)
    const {stdout, stderr} = await home.run(['remotecheckout', 'traces'], {...slept, columns: 80})
    expect(stdout).toContain('No operation that was started here is open.')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      '1 of 1 that ended failed: cardctl remotecheckout traces --ended',
    )
  })
})

describe('remotecheckout', () => {
  it('enrols a customer with a card, then a further card, and takes them out again', async () => {
    const enrolled = await enrol()
    expect(enrolled.code).toBe(0)
    expect(enrolled.stdout).toContain('SUCCESS')
    expect(enrolled.stderr).toMatch(/trace [0-9a-f-]{36}/)
    expect((await customer()).paymentInstruments).toMatchObject([{cardId: '3001', status: 'ACTIVE'}])

    expect((await remote('enroll --card 3002 --wait', ticking)).code).toBe(0)
    expect((await customer()).paymentInstruments.map(({cardId}) => cardId)).toEqual(['3001', '3002'])

    expect((await remote('delete --card 3002 --confirm 3002 --wait', ticking)).code).toBe(0)
    expect((await customer()).paymentInstruments.map(({cardId}) => cardId)).toEqual(['3001'])

    expect((await remote('delete --customer 1001 --yes --wait', ticking)).code).toBe(0)
    expect((await remote('get --customer 1001', ticking)).code).toBe(5)
  })

  it('changes addresses of the customer, and switches it off and on', async () => {
    await enrol()
    const line =
      'update --customer 1001 -F overrides.emails[0]=a@b.example -F overrides.phones[0]=358401234567'
    expect((await remote(`${line} --wait`, ticking)).code).toBe(0)
    expect((await customer()).customerInformation).toMatchObject({
      email: ['a@b.example'],
      phone: ['358401234567'],
    })
    const before = (await customer()).customerInformation.status
    expect((await remote('update --customer 1001 --no-active --wait', ticking)).code).toBe(0)
    expect((await customer()).customerInformation.status).not.toBe(before)
    expect((await remote('update --customer 1001 --active --wait', ticking)).code).toBe(0)
    expect((await customer()).customerInformation.status).toBe(before)
  })

  it.each(['x', 'a@b', 'jÖrg<>|@example.com', 'a b@example.com', 'a@@example.com', 'a@example..com'])(
    '%s is no e-mail address',
    async email => {
      for (const command of ['enroll --customer 1001 --card 3001', 'update --customer 1001']) {
        const {code, stderr} = await home.run([
          'remotecheckout',
          ...command.split(' '),
          '--email',
          email,
          '--yes',
        ])
        expect(code).toBe(2)
        expect(stderr).toContain('--email takes an e-mail address')
      }
      expect(await home.json(['requests', 'list'])).toEqual([])
    },
  )

  it('says after an unknown effect what to compare, by a command that runs', async () => {
    const fault = ['--operation', 'remotecheckout.enrollCustomer.v1', '--drop', 'after']
    await home.run(['sandbox', 'faults', 'add', ...fault])
    expect((await remote('enroll --customer 1001 --card 3001 --retries 0 --yes')).code).toBe(10)
    const {code, stderr} = await home.run(['requests', 'resolve', 'last'])
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(
        /Compare the customer's enrolment with what was asked at [^:]*:\d\d UTC: cardctl .*\n {2}If it had no effect, record that: cardctl .*\n {2}Otherwise pass --found effect\.\n/,
      ),
    ])
    const [, line = ''] = /UTC: cardctl (remotecheckout get .*)\n/.exec(stderr) ?? []
    expect(line).toContain('--customer 1001')
    const asked = await home.run(line.replace('--bid BID', '--bid ISSUER-1').split(' '))
    expect(asked.code, 'it ends later').toBe(5)
  })

  it('sends without a look what --no-check-input says, also about a card that nobody knows', async () => {
    const service = await openService()
    try {
      const flags = ['--kind', 'test', '--base-url', service.url, '--auth', 'none', '--bid', 'SHOP']
      await home.json(['profiles', 'add', 'elsewhere', ...flags])
      await home.run('remotecheckout enroll --card 3999 --no-check-input -p elsewhere'.split(' '))
      expect(service.requests.map(({method, url}) => `${method} ${url.split('?')[0]}`)).toEqual([
        'POST /v1/remotecheckout/NETWORK_A/enroll/card/3999',
      ])
    } finally {
      await service.close()
    }
  })

  it('refuses nothing if the service does not tell which cards are enrolled', async () => {
    const known = reply(200, {customerBID: 'SHOP', customerInformation: {status: 'ACTIVE'}})
    const service = await openService(({url}) => (url.includes('/NETWORK_A/customer/') ? known : undefined))
    try {
      const flags = ['--kind', 'test', '--base-url', service.url, '--auth', 'none', '--bid', 'SHOP']
      await home.json(['profiles', 'add', 'terse', ...flags])
      const {code} = await home.run(
        'remotecheckout update --card 3001 -F cardOverrides.city=Oslo -p terse'.split(' '),
      )
      expect(code).toBe(0)
    } finally {
      await service.close()
    }
  })

  it('takes COMPLETED with a failed detail for no success', async () => {
    await enrol()
    const {code, stdout, stderr} = await remote(
      'update --card 3001 -F cardOverrides.city=Os{lo --no-check-input --wait --json -q',
      ticking,
    )
    expect(code).toBe(11)
    expect(stdout).toBe('')
    const {error} = JSON.parse(stderr)
    expect(error.code).toBe('PARTLY_DONE')
    expect(error.message).toContain('city')
    expect(error.data.trace).toMatchObject({status: 'COMPLETED', details: {status: 'FAILED'}})
  })

  it('says how an operation ended later, the same way', async () => {
    await enrol()
    const started = await remote(
      'update --card 3001 -F cardOverrides.city=Os{lo --no-check-input -o json',
      ticking,
    )
    const {requestTraceId} = JSON.parse(started.stdout)
    await home.json(['sandbox', 'clock', 'advance', '2m'])
    const status = await home.run(['remotecheckout', 'status', requestTraceId])
    expect(status.code).toBe(0)
    expect(status.stdout).toContain('FAILED')
    expect((await home.run(['remotecheckout', 'status', requestTraceId, '--wait'], ticking)).code).toBe(11)
  })

  it('ends with 12 when the time to wait is over first', async () => {
    const {code, stderr} = await remote('enroll --customer 1001 --card 3001 --wait --wait-timeout 0s')
    expect(code).toBe(12)
    expect(stderr).toMatch(/remotecheckout status [0-9a-f-]{36}/)
  })

  it('takes the bid from the profile, and from the flag before it', async () => {
    const add = 'profiles add shop --kind sandbox --base-url http://127.0.0.1:9 --bid SHOP'
    await home.json(add.split(' '))
    const bid = async (...flags: string[]): Promise<unknown> => {
      const argv = ['remotecheckout', 'get', '--customer', '1001', '-p', 'shop', '--dry-run', ...flags]
      return JSON.parse((await home.run(argv)).stdout).body
    }
    expect(await bid()).toEqual({customerBID: 'SHOP'})
    expect(await bid('--bid', 'OTHER')).toEqual({customerBID: 'OTHER'})
  })

  it('says what to do without a bid', async () => {
    await home.json('profiles add bare --kind sandbox --base-url http://127.0.0.1:9 --auth none'.split(' '))
    const {code, stderr} = await home.run(['remotecheckout', 'get', '--customer', '1001', '-p', 'bare'])
    expect(code).toBe(3)
    expect(stderr).toContain('Add --bid, or store it: cardctl profiles edit bare --bid VALUE')
  })

  it('finds the demo enrolment of the embedded sandbox without a bid', async () => {
    expect(await home.json(['remotecheckout', 'get', '--customer', '1003'])).toMatchObject({
      customerInformation: {firstName: 'Marja'},
    })
  })

  it.each([
    ['enroll'],
    ['enroll --customer 1001'],
    ['get'],
    ['delete'],
    ['delete --card 3001 --customer 1001 --yes'],
    ['update'],
    ['update --card 3001 --customer 1001'],
    ['update --card 3001 --active'],
    ['update --customer 1001 --active -F overrides.emails[0]=a@b.example'],
    ['enroll --card 3001 --wait-timeout 3s'],
    ['enroll --card 3001 -F cardOverrides.town=Oslo'],
    ['enroll --customer 1001 --card 3001 -F overrides.phones[0]=+358401234567'],
  ])('%s is refused before anything is sent', async line => {
    const {code, stdout} = await remote(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('deletes nothing without a confirmation', async () => {
    await enrol()
    expect((await remote('delete --card 3001', ticking)).code).toBe(2)
    expect((await remote('delete --customer 1001', ticking)).code).toBe(2)
    expect((await customer()).paymentInstruments).toMatchObject([{cardId: '3001'}])
  })

  it('knows no unknown customer, card or trace', async () => {
    expect((await remote('get --customer 9999')).code).toBe(5)
    expect((await home.run(['remotecheckout', 'status', 'no-such-trace'])).code).toBe(5)
  })
})

describe('what the card network would refuse later', () => {
  /** The exit code and what was printed, after which nothing new is in the journal. */
  const refused = async (line: string) => {
    const before = await home.json(['requests', 'list'])
    const {code, stdout, stderr} = await remote(line, ticking)
    expect({line, stdout}).toEqual({line, stdout: ''})
    expect(await home.json(['requests', 'list'])).toEqual(before)
    return {code, said: stderr.replaceAll(/\s+/g, ' ')}
  }

  it('is refused for who is not enrolled, with the command that enrols', async () => {
    const {code, said} = await refused('enroll --card 3001')
    expect(code).toBe(5)
    expect(said).toContain('Customer 1001 of card 3001 is not enrolled with customerBID ISSUER-1.')
    const line = /: cardctl remotecheckout (.*3001) --bid/.exec(said)?.[1]
    expect(line).toBe('enroll --customer 1001 --card 3001')
    expect((await remote(`${line} --wait`, ticking)).code).toBe(0)
    for (const change of [
      'delete --card 3002 --yes --confirm 3002',
      'update --customer 1002 --email a@b.example',
    ])
      expect((await refused(change)).code).toBe(5)
  })

  it('is refused for who is enrolled already', async () => {
    await enrol()
    const {code, said} = await refused('enroll --customer 1001 --card 3002')
    expect(code).toBe(2)
    expect(said).toContain('Enrol the card alone: cardctl remotecheckout enroll --card 3002 --bid ISSUER-1')
    expect((await refused('enroll --card 3001')).said).toContain('Card 3001 is enrolled already.')
  })

  it('is refused for a character in an address', async () => {
    await enrol()
    const {code, said} = await refused('update --card 3001 -F cardOverrides.city=Os{lo')
    expect(code).toBe(2)
    expect(said).toContain('cardOverrides.city has the character {, which the card network refuses')
  })

  it('is sent while an enrolment that was started here is in progress', async () => {
    expect((await remote('enroll --customer 1001 --card 3001', {now: () => now})).code).toBe(0)
    expect((await remote('enroll --card 3002', {now: () => now})).code).toBe(0)
  })
})

describe('a deletion on a terminal', () => {
  const drop = (customer: string) => ['remotecheckout', 'delete', '--customer', customer, '--bid', 'b']

  it('shows what is deleted before it asks', async () => {
    await home.run(
      ['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', '--bid', 'b', '--wait'],
      ticking,
    )
    const {code, stderr} = await home.run(drop('1001'), {typed: [['Type 1001 to confirm:', 'no']]})
    expect(code).toBe(2)
    expect(stderr.slice(0, stderr.indexOf('Type 1001'))).toMatch(/Customer +1001|Virtanen|3001/)
  })

  it('does not ask about what does not exist', async () => {
    const {code, stderr} = await home.run(drop('1002'), {typed: [['never', '']]})
    expect(code).toBe(5)
    expect(stderr).toContain('Customer 1002 is not enrolled with customerBID b.')
    expect(stderr).not.toContain('to confirm')
  })
})
