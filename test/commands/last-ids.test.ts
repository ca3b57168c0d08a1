// `last` in place of an id: the newest where that is known, and never an id that goes to the service.
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let isAway = false
beforeAll(async () => {
  home = await openHome()
  service = await openService(({method}) =>
    isAway && method === 'POST' ? {status: 500, headers: {}, body: new Uint8Array(), drop: true} : undefined,
  )
  await home.json([
    ...['profiles', 'add', 'desk', '--kind', 'test', '--base-url', service.url, '--auth', 'none'],
    ...['--profile-audit-user', 'aino'],
  ])
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const run = (line: string) => home.run([...line.split(' '), '-p', 'desk'])
const create = (amount: string) =>
  run(
    `a2a create --transfer 2006:2007:${amount}:EUR:Rent --yes --confirm-count 1 --confirm-total EUR:${amount}`,
  )

describe('last batch', () => {
  test('is none before one was sent from here, whatever the service has', async () => {
    const before = service.requests.length
    for (const line of ['a2a get last', 'a2a status newest', 'report batch last', 'history batch last']) {
      const {code, stderr} = await run(line)
      expect({line, code}).toEqual({line, code: 5})
      expect(stderr).toContain('No batch was sent to')
    }
    expect(service.requests.slice(before)).toEqual([])
  })

  test('is the newest that was sent from here, and its id is said', async () => {
    await create('11.10')
    const {stdout} = await home.run([
      'a2a',
      'create',
      '-p',
      'desk',
      '-o',
      'json',
      '--transfer',
      '2006:2007:11.20:EUR:Rent',
      '--yes',
      '--confirm-count',
      '1',
      '--confirm-total',
      'EUR:11.20',
    ])
    const [{id}] = JSON.parse(stdout) as [{id: string}]
    for (const line of [
      'a2a get last',
      'a2a get LATEST',
      'a2a status newest',
      'a2a watch last',
      'report batch last',
      'history batch last',
    ]) {
      const {code, stderr, stdout: shown} = await run(line)
      expect({line, code}).toEqual({line, code: 0})
      expect(stderr).toMatch(new RegExp(`The last batch sent from here, .*: ${id}`))
      if (!line.startsWith('history')) expect(shown).toContain(id)
    }
  })

  test('is not an older one while nobody knows whether a newer one exists', async () => {
    isAway = true
    onTestFinished(() => {
      isAway = false
    })
    expect((await create('11.30')).code).toBe(10)
    const {code, stdout, stderr} = await run('a2a get last')
    expect({code, stdout}).toEqual({code: 10, stdout: ''})
    expect(stderr).toContain('cardctl requests resolve r_')
  })
})

describe('words that are no ids', () => {
  test.each([
    ['cards get last', 'a card'],
    ['cards list --customer newest', 'a customer'],
    ['accounts block latest --type debit', 'an account'],
    ['accounts close all --type debit', 'an account'],
    ['pricelists delete previous', 'a price list'],
    ['a2a get first', 'a batch'],
    ['a2a create --retry-failed last', 'a batch'],
    ['history card last', 'a card'],
    ['requests show recent', 'a request'],
    ['bulk cancel all', 'a job'],
  ])('%s is refused at the line', async (line, what) => {
    const before = service.requests.length
    const {code, stdout, stderr} = await run(line)
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toMatch(new RegExp(`"\\w+" is not the id of ${what}\\.`))
    expect(service.requests.slice(before)).toEqual([])
  })

  test.each(['requests show newest', 'requests undo LAST', 'bulk status latest'])(
    '%s says what last says',
    async line => {
      const asLast = await run(line.replace(/\S+$/, 'last'))
      expect(await run(line)).toMatchObject({code: asLast.code, stdout: asLast.stdout})
    },
  )
})
