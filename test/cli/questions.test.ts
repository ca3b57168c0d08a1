// What a person is asked before something happens, and what the question shows.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  await home.json([
    ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url],
    ...['--profile-audit-user', 'aino'],
  ])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '-p', 'prod']

it('a live write is sent after its id was typed', async () => {
  const {code, stderr} = await home.run(patch, {typed: [['Type 2001 to go on:', '2001']]})
  expect(stderr).toMatch(/LIVE prod +PATCH http.*\n +creditLimit +5000/)
  expect({code, sent: service.requests.length}).toEqual({code: 0, sent: 1})
})

it.each(['', 'y', '2002', 'prod'])('a live write is not sent after %j was typed', async typed => {
  const {code, stderr} = await home.run(patch, {typed: [['Type 2001 to go on:', typed]]})
  expect(stderr).toContain('CONFIRMATION_DECLINED')
  expect({code, connections: service.connections}).toEqual({code: 2, connections: 0})
})

it('the question masks what is secret in the request, wherever it stands', async () => {
  const body = {
    controlId: 'c-1',
    pinBlock: 'c2VjcmV0LWJsb2Nr',
    more: {pin: '8253'},
    note: 'card 4111111111111111',
  }
  const file = `${home.folder}/body.json`
  await (await import('node:fs/promises')).writeFile(file, JSON.stringify(body))
  const argv = ['api', 'POST', '/v9/unknown', '--data', `@${file}`, '--no-validate', '-p', 'prod']
  const {stderr} = await home.run(argv, {typed: [['to go on:', 'no']]})
  expect(stderr).toContain('controlId')
  expect(stderr).not.toMatch(/c2VjcmV0LWJsb2Nr|8253|4111111111111111/)
})
