import {afterAll, beforeAll, expect, it} from 'vitest'
import {openHome} from '../../helpers/cli.ts'
import {type Gate, openGate} from '../../helpers/gate.ts'
import {openService, reply} from '../../helpers/service.ts'

let gate: Gate
let answer = reply(200, 'x')
beforeAll(async () => {
  gate = await openGate({person: {read: 'allow', write: 'allow'}}, {aino: 'person'}, {answer: () => answer})
})
afterAll(() => gate.close())

const read = () => gate.ask('aino', 'GET', '/v4/3001')

it('counts nothing against a caller that the service answered unusably', async () => {
  const statuses = new Set<number>()
  for (const given of [reply(200, {id: 'other'}), reply(200, []), reply(401, {}), reply(302, {})]) {
    answer = given
    for (let at = 0; at < 25; at++) statuses.add((await read()).status)
  }
  expect([...statuses]).not.toContain(429)
})

it('says its own code, whatever the service calls its problem', async () => {
  for (const status of [400, 403, 404, 409, 422]) {
    answer = reply(
      status,
      {title: 'No', code: 'POLICY_REFUSED'},
      {'content-type': 'application/problem+json'},
    )
    const {body} = await read()
    expect(body).toMatchObject({title: 'No', serviceCode: 'POLICY_REFUSED'})
    expect(body.code).not.toBe('POLICY_REFUSED')
  }
})

it('is no refusal of a policy, if a service says so of itself', async () => {
  const problem = {title: 'No', code: 'POLICY_REFUSED', status: 403}
  const service = await openService(() => reply(403, problem, {'content-type': 'application/problem+json'}))
  const home = await openHome()
  await home.json([
    ...['profiles', 'add', 'own', '--kind', 'test', '--base-url', service.url, '--auth', 'none'],
    ...['--profile-audit-user', 'Aino'],
  ])
  const {code, stderr} = await home.run(['cards', 'get', '3001', '-p', 'own'])
  expect({code, stderr}).toEqual({code: 4, stderr: expect.stringContaining('FORBIDDEN')})
  await home.remove()
  await service.close()
})
