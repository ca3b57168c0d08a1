import {expect, it} from 'vitest'
import type {ServiceCheck} from '../../src/commands/contract/shared/check-service.ts'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()

const text = {type: 'string'}
const inPath = (name: string) => ({name, in: 'path', required: true, schema: text})
const get = (operationId: string, schema: object, ...parameters: object[]) => ({
  get: {operationId, parameters, responses: {200: {description: '', ...json(schema)}}},
})
const user = {type: 'object', required: ['token'], properties: {token: text, name: text}}
const PATHS = {
  '/users': {
    ...get('listUsers', {type: 'object', properties: {data: {type: 'array', items: user}}}),
    post: {operationId: 'addUser', responses: {200: json(user)}},
  },
  '/users/{token}': {
    ...get('getUser', user, inPath('token')),
    delete: {operationId: 'dropUser', responses: {}},
  },
  '/users/{token}/cards': get(
    'listCards',
    {type: 'array', items: {type: 'object', properties: {id: {type: 'integer'}, program_token: text}}},
    inPath('token'),
  ),
  '/users/{token}/cards/{card}': get(
    'getCard',
    {type: 'object', properties: {id: {type: 'integer'}}},
    inPath('token'),
    inPath('card'),
  ),
  '/programs/{program_token}': get('getProgram', {type: 'object'}, inPath('program_token')),
  '/cards/{id}/pan': get('showPan', {type: 'object', properties: {pan: text}}, inPath('id')),
  '/lone/{lone_id}': get('getLone', {type: 'object'}, inPath('lone_id')),
  '/search': get('search', {type: 'array'}, {name: 'q', in: 'query', required: true, schema: text}),
}

const answers: Readonly<Record<string, unknown>> = {
  '/base/users': {data: [{token: 'u_1', name: 'A'}]},
  '/base/users/u_1': {name: 7},
  '/base/users/u_1/cards': [{id: 5, program_token: 'p_9'}],
  '/base/users/u_1/cards/5': {id: '5'},
  '/base/programs/p_9': {},
  '/base/search?q=x': [],
}

it('proves a document against the service by reads alone', async () => {
  await shop().importPaths(PATHS)
  shop().answer = ({url}) => (url in answers ? reply(200, answers[url]) : reply(404, {}))
  const run = async (...flags: string[]): Promise<ServiceCheck> => {
    const {code, stdout, stderr} = await shop().run([
      'contract',
      'check',
      '--contract',
      'own',
      '-o',
      'json',
      ...flags,
    ])
    const check: ServiceCheck = JSON.parse(stdout)
    expect({code, stderr}).toMatchObject({code: check.failed > 0 ? 8 : 0})
    return check
  }
  const states = ({operations}: ServiceCheck) =>
    Object.fromEntries(
      operations.map(({request, state, note}) => [request, note?.startsWith('not checked') ? note : state]),
    )
  expect(states(await run())).toEqual({
    'GET /users': 'fits',
    'GET /users/{token}': 'differs',
    'GET /users/{token}/cards': 'fits',
    'GET /users/{token}/cards/{card}': 'differs',
    'GET /programs/{program_token}': 'fits',
    'GET /lone/{lone_id}': 'not checked: needs --id lone_id=VALUE',
    'GET /search': 'not checked: needs --id q=VALUE',
  })
  expect(
    shop()
      .requested()
      .every(line => line.startsWith('GET ')),
  ).toBe(true)
  expect(
    shop()
      .requested()
      .some(line => line.includes('pan')),
  ).toBe(false)
  const more = await run('--id', 'lone_id=3', '--id', 'q=x')
  expect(states(more)).toMatchObject({'GET /lone/{lone_id}': 'failed', 'GET /search': 'fits'})
  const differences = more.operations.flatMap(({differences: found}) =>
    found.map(({pointer, found: type}) => `${pointer} ${type}`),
  )
  expect(differences.toSorted()).toEqual(['/id text', '/name number', '/token absent'])
  expect(JSON.stringify(more)).not.toContain('u_1')
  expect(await shop().run(['contract', 'check', '--contract', 'own', '--strict'])).toMatchObject({code: 8})
  expect(await shop().run(['contract', 'check', '--contract', 'none'])).toMatchObject({code: 2})
  expect(await shop().run(['contract', 'check', '--id', 'a=b'])).toMatchObject({code: 2})
  expect(await shop().run(['contract', 'check', '--contract', 'own', '--id', 'loneid=3'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean lone_id?'),
  })
})
