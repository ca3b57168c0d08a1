import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

// A published test number; references pass the same check digit by construction.
const PAN = '4242424242424242'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService(undefined, answer => {
    const card = JSON.parse(Buffer.from(answer.body).toString()) as Record<string, unknown>
    Object.assign(card, {
      referenceNumber: PAN,
      reason: `moved from ${PAN}`,
      diagnostics: {pinBlock: 'c2VjcmV0', note: [`PAN ${PAN}`], [PAN]: true, id: 3001},
    })
    const {'content-length': _, ...headers} = answer.headers
    return {...answer, headers, body: Buffer.from(JSON.stringify(card))}
  })
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

test('what the contract types comes through as it is; text and what it does not know without secrets', async () => {
  const env = {CARDCTL_BASE_URL: service.url}
  const card = await home.json<Record<string, unknown>>(['cards', 'get', '3001'], {env})
  expect(card).toMatchObject({
    id: '3001',
    referenceNumber: PAN,
    reason: 'moved from 424242••••••4242',
    diagnostics: {pinBlock: '[masked]', note: ['PAN 424242••••••4242'], '424242••••••4242': true, id: 3001},
  })
})

test('if no contract describes the response, names and appearance decide', async () => {
  const env = {CARDCTL_BASE_URL: service.url}
  const {stdout} = await home.run(['api', 'GET', '/v9/3001', '--group', 'cards', '-o', 'json'], {env})
  expect(stdout).not.toContain(PAN)
})
