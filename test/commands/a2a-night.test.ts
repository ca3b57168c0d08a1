// What the log of a nightly job of transfers says: what was sent and what was not, and the one command that comes next.
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const ROWS = `from,to,amount,currency,text\n${[1, 2, 3, 4, 5, 6].map(n => `2006,2007,${n}.50,EUR,Wage ${n}\n`).join('')}`
const CREATE = ['a2a', 'create', '--from', '-', '--batch-size', '2', '--yes', '-p', 'served']
const ENV = {CARDCTL_AUDIT_USER: 'aino'}

let home: Home
let service: Service
/** What becomes of the batches that are sent, by their number. */
let fate: (number: number) => ReturnType<typeof reply> | undefined
let sent: unknown[]

beforeEach(async () => {
  sent = []
  fate = () => undefined
  service = await openService(({method, body}) => {
    if (method !== 'POST') return reply(200, {items: []})
    sent.push(JSON.parse(Buffer.from(body).toString()))
    return fate(sent.length) ?? reply(200, {id: String(88_000 + sent.length), status: 'IN_PROGRESS'})
  })
  home = await openHome()
  await home.json(['profiles', 'add', 'served', '--kind', 'test', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (argv: readonly string[], options = {}) => home.run(argv, {stdin: ROWS, env: ENV, ...options})
const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error
const ONE = CREATE.map(word => (word === '2' ? '10' : word))
const BUSY = () => reply(429, {title: 'busy'})
const NEXT = 'Next, when the service takes requests again:'

test('the command that comes next acts as the same user, also where the line names its profile', async () => {
  fate = BUSY
  const argv = [...ONE, '--retries', '0']
  const {stderr} = await run(argv)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `  ${NEXT} CARDCTL_AUDIT_USER=aino cardctl ${argv.join(' ')}`,
  )
})

test('a program reads the next command in the hint and among the commands', async () => {
  fate = BUSY
  const argv = [...ONE, '--retries', '0', '-o', 'json']
  const {hint, commands, data} = errorOf((await run(argv)).stderr)
  expect(hint.endsWith(`${NEXT} ${data.next}`)).toBe(true)
  expect(commands.at(-1)).toEqual({argv, effect: 'write'})
})

test('a repeat that is refused says that it sent nothing, although it has looked at the service', async () => {
  await run(ONE)
  const {code, stderr} = await run(ONE)
  expect([code, sent.length]).toEqual([14, 1])
  expect(stderr).toContain('this command sent nothing')
})
