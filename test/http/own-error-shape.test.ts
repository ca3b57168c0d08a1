// Which errors count as the service's own where the profile names their places.
import {expect, test} from 'vitest'
import {bodyKind} from '../../src/http/own-error.ts'

const SHAPE = {code: '/error/nr', status: '/error/http'}
const kindOf = (value: unknown, shape = SHAPE, type = 'application/json; charset=utf-8') =>
  bodyKind({operation: {}}, {status: 503, headers: {'content-type': type}}, {kind: 'json', value}, shape)

test.each([{error: {nr: 'E1', http: 503}}, {error: {nr: 7, http: '503', text: 'later'}}])(
  'with code and status at their places: %j',
  async value => {
    expect(await kindOf(value)).toBe('own')
    expect(await kindOf(value, SHAPE, 'text/plain')).toBe('json')
    expect(await kindOf(value, {code: '/error/nr'} as never)).toBe('json')
    expect(await kindOf(value, {status: '/error/http'} as never)).toBe('json')
  },
)

test.each([
  {error: {nr: 'E1'}},
  {error: {http: 503}},
  {error: {nr: '', http: 503}},
  {error: {nr: 'E1', http: 500}},
  {nr: 'E1', http: 503},
  {message: 'Service Unavailable'},
  [],
])('nothing else: %j', async value => {
  expect(await kindOf(value)).toBe('json')
})
