// What --dry-run and --curl print holds variables and masks where the request would hold secrets.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
let file: string
beforeAll(async () => {
  home = await openHome()
  file = join(home.folder, 'body.json')
  const body = {
    controlId: 'c-1',
    pinBlock: 'c2VjcmV0LWJsb2Nr',
    more: [{password: 'hunter-two'}],
    number: '4111111111111111',
    note: 'card 4111111111111111 of a customer',
  }
  await writeFile(file, JSON.stringify(body))
  const argv = [
    'profiles',
    'add',
    'svc',
    '--kind',
    'test',
    '--base-url',
    'http://127.0.0.1:1',
    '--auth',
    'bearer',
  ]
  await home.run([...argv, '--secret', '-'], {
    stdin: 't0ken-of-the-test\n',
    env: {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none'},
  })
})
afterAll(() => home.remove())

const SECRETS = /c2VjcmV0LWJsb2Nr|hunter-two|4111111111111111|t0ken/

it.each([
  ['an operation of the contract', '/v3/set'],
  ['a path that nobody knows', '/v9/things'],
])('%s', async (_, path) => {
  const argv = ['api', 'POST', path, '--group', 'pin', '--data', `@${file}`, '--no-validate', '-p', 'svc']
  const dry = await home.run([...argv, '--dry-run'])
  expect(dry).toMatchObject({code: 0, stdout: expect.not.stringMatching(SECRETS)})
  expect(JSON.parse(dry.stdout)).toMatchObject({
    headers: {authorization: '[masked]'},
    body: {pinBlock: '[masked]', more: [{password: '[masked]'}]},
  })
  const curl = await home.run([...argv, '--curl'])
  expect(curl).toMatchObject({code: 0, stdout: expect.not.stringMatching(SECRETS)})
  expect(curl.stdout).toContain('"authorization: $AUTHORIZATION"')
  expect(curl.stdout).toContain(`"pinBlock":"'"$PIN_BLOCK"'"`)
  expect(curl.stdout).toContain(`"password":"'"$PASSWORD"'"`)
})
