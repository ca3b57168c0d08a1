// Responses of another form than the contract describes: they are shown, and no view of ours is an empty table.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let body: unknown

beforeEach(async () => {
  service = await openService(() => reply(200, body))
  home = await openHome()
  await home.json(['profiles', 'add', 'served', '--kind', 'sandbox', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (line: string) => home.run(line.split(' '), {env: {CARDCTL_PROFILE: 'served'}, columns: 100})

describe('an object or a list with none of the known fields', () => {
  test.each([
    ['cards get 3001', {data: {card_id: 'c-77'}}, 'c-77'],
    ['cards list --customer 1003 --limit 5', [{card_id: 'c-77'}, {card_id: 'c-78'}], 'c-78'],
    ['a2a status 88001', {data: {batch_id: 'b-5'}}, 'b-5'],
    ['remotecheckout get --customer 1001 --bid B', {data: {first: 'Aino'}}, 'Aino'],
    ['cards plastics 3001', [{plastic: 'p-1'}], 'p-1'],
  ])('%s shows what came: %j', async (line, came, word) => {
    body = came
    const {code, stdout, stderr} = await run(line)
    expect([code, stdout]).toEqual([0, expect.stringContaining(word)])
    expect(stderr).toMatch(/differs? from the contract/)
    body = came
    expect(JSON.parse((await run(`${line} -o json`)).stdout)).toEqual(came)
  })

  test('one known field keeps the view', async () => {
    body = {status: 'CARD_OK', card_id: 'c-77'}
    expect((await run('cards get 3001')).stdout).toContain('CARD_OK')
    body = [{card_id: 'c-77'}, {id: '3101', status: 'CARD_OK'}]
    expect((await run('cards list --customer 1003 --limit 5')).stdout).toContain('CARD_OK')
  })
})

describe('JSON of another kind', () => {
  test.each([
    ['cards list --customer 1003', {data: [{card_id: 'c-77'}]}, 'it is no list'],
    ['cards get 3001', [{card_id: 'c-77'}], 'it is a list'],
    ['a2a list', {content: [{card_id: 'c-77'}]}, 'it has no items'],
    ['api GET /v4/customer/1003', {data: [{card_id: 'c-77'}]}, 'it is no list'],
  ])('%s, answered %j: shows it and exits with 8', async (line, came, why) => {
    body = came
    for (const format of ['table', 'json']) {
      const {code, stdout, stderr} = await run(`${line} -o ${format}`)
      expect([code, stdout]).toEqual([8, expect.stringContaining('c-77')])
      expect(stderr).toContain(why)
      expect(stderr).not.toContain('login page')
    }
    expect(JSON.parse((await run(`${line} -o json`)).stdout)).toEqual(came)
  })

  test('only a page is said to come from a proxy', async () => {
    await service.close()
    service = await openService(() => ({
      status: 200,
      headers: {'content-type': 'text/html'},
      body: Buffer.from('<html>'),
    }))
    await home.json(['profiles', 'edit', 'served', '--base-url', service.url])
    const {code, stdout, stderr} = await run('cards get 3001')
    expect([code, stdout, stderr]).toEqual([8, '', expect.stringContaining('login page')])
  })
})
