import {createServer} from 'node:http'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from 'vitest'
import {socketUrl} from '../../src/network/check-url.ts'
import {createSandbox} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
let socket = ''
let hosts: (string | undefined)[] = []
const sandbox = createSandbox()
const server = createServer(async (request, response) => {
  hosts.push(request.headers.host)
  const {method = '', url = ''} = request
  const {status, headers, body} = await (await sandbox).handle({method, url, headers: {}})
  response.writeHead(status, headers).end(body)
})

beforeAll(async () => {
  home = await openHome()
  socket = join(home.folder, 'prod.sock')
  await new Promise<void>(resolve => server.listen(socket, resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await (await sandbox).close()
  await home.remove()
})

const add = (name: string, ...more: readonly string[]) =>
  home.run(['profiles', 'add', name, '--kind', 'live', '--auth', 'none', '--audit-user', 'Aino', ...more])

it('sends to the socket of a profile, past any proxy, under a host that no other socket has', async () => {
  expect(await add('prod', '--socket', socket)).toMatchObject({code: 0})
  hosts = []
  const card = await home.json<{id: string}>(['cards', 'get', '3001', '-p', 'prod'], {
    env: {HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1'},
  })
  expect(card.id).toBe('3001')
  expect(hosts).toEqual([new URL(socketUrl(socket)).host])
  expect(socketUrl(`${socket}2`)).not.toBe(socketUrl(socket))
})

it('refuses a socket with the base URL of another, and such a base URL without its socket', async () => {
  const elsewhere = ['--base-url', socketUrl('/run/other.sock')]
  expect((await add('two', '--socket', socket, ...elsewhere)).stderr).toContain(socketUrl(socket))
  expect(await add('three', ...elsewhere)).toMatchObject({code: 0})
  const {stderr} = await home.run(['cards', 'get', '3001', '-p', 'three'])
  expect(stderr).toMatch(/PROFILE_INVALID: The profile three has no socket/)
  // No variable leads a stored profile to another socket.
  const led = await home.run(['cards', 'get', '3001', '-p', 'prod'], {
    env: {CARDCTL_SOCKET: '/run/other.sock'},
  })
  expect(led).toMatchObject({code: 2, stderr: expect.stringContaining('CARDCTL_SOCKET')})
  const moved = await home.run(['cards', 'get', '3001', '-p', 'prod'], {
    env: {CARDCTL_BASE_URL: socketUrl('/run/other.sock')},
  })
  expect(moved.stderr).toMatch(/PROFILE_INVALID/)
})

it('keeps profiles of other kinds away from the socket of a live one', async () => {
  const test = await home.run([
    ...['profiles', 'add', 'staging', '--kind', 'test', '--socket', socket, '--auth', 'none'],
  ])
  expect(test.stderr).toMatch(/which the live profile prod names/)
  const other = await home.run([
    ...['profiles', 'add', 'staging', '--kind', 'test', '--socket', '/run/other.sock', '--auth', 'none'],
  ])
  // That host is the live profile three's.
  expect(other.stderr).toMatch(/which the live profile three names/)
  const free = await home.run([
    ...['profiles', 'add', 'staging', '--kind', 'test', '--socket', '/run/free.sock', '--auth', 'none'],
  ])
  expect(free).toMatchObject({code: 0})
})

it('takes a base URL for a socket as live', async () => {
  const env = {CARDCTL_PROFILE: '', CARDCTL_BASE_URL: socketUrl(socket), CARDCTL_SOCKET: socket}
  expect(
    await home.json<{kind: string}>(['whoami'], {env: {...env, CARDCTL_AUDIT_USER: 'Aino'}}),
  ).toMatchObject({
    kind: 'live',
  })
})
