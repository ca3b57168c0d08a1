// What the log of a nightly job of transfers says: what was sent and what was not, and the one command that comes next.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const ROWS = `from,to,amount,currency,text\n${[1, 2, 3, 4, 5, 6].map(n => `2006,2007,${n}.50,EUR,Wage ${n}\n`).join('')}`
const CREATE = ['a2a', 'create', '--from', '-', '--batch-size', '2', '--yes', '-p', 'served']
const ENV = {CARDCTL_AUDIT_USER: 'aino'}

let home: Home
let service: Service
/** What becomes of the batches that are sent, by their number. */
let fate: (number: number) => ReturnType<typeof reply> | undefined
let sent: {transfers: {amount: number}[]}[]
/** What the answers wait for. */
let gate: Promise<void>

beforeEach(async () => {
  sent = []
  gate = Promise.resolve()
  fate = () => undefined
  service = await openService(async ({method, body}) => {
    if (method !== 'POST') return reply(200, {items: []})
    sent.push(JSON.parse(Buffer.from(body).toString()))
    const number = sent.length
    const reached = fate(number)
    await gate
    return reached ?? reply(200, {id: String(88_000 + number), status: 'IN_PROGRESS'})
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

test('of transfers from stdin it is said that only their number shows a cut', async () => {
  const words = /nobody can tell: pass the number of rows with --confirm-count/
  expect((await run(ONE)).stderr).toMatch(words)
  expect((await run([...ONE, '--confirm-count', '6'])).stderr).not.toMatch(words)
})

describe('a split that was cut off', () => {
  const LOST = () => reply(502, {title: 'lost'})
  const AGREED = ['--confirm-count', '6', '--confirm-total', 'EUR:24.00']
  /** The words of a line of the log, as a shell without the environment of the job would take them. */
  const wordsOf = (line: string) =>
    line
      .replace(/^.*?CARDCTL_AUDIT_USER=aino cardctl /, '')
      .trimEnd()
      .split(' ')
  const lineIn = (stderr: string, has: string) =>
    wordsOf(stderr.split('\n').find(line => line.includes(` ${has}`)) ?? '')
  /** Batch 2 of 3 is lost. It was made or not. */
  const lose = (argv: readonly string[] = CREATE) => {
    fate = number => (number === 2 ? LOST() : undefined)
    return run([...argv, '--retries', '0'])
  }
  const amounts = () => sent.flatMap(({transfers}) => transfers.map(({amount}) => amount))
  const found = async (what: 'effect' | 'no-effect') => {
    const id =
      (await home.json<{id: string}[]>(['requests', 'list', '--open', '-p', 'served'], {env: ENV}))[0]?.id ??
      ''
    const said = ['--found', what, '--because', 'looked', '--yes', '-p', 'served']
    expect((await run(['requests', 'resolve', id, ...said])).code).toBe(0)
  }

  test('a log says before the first batch what to do if it ends there, and then which were accepted', async () => {
    const {stderr} = await lose()
    expect(stderr).toMatch(
      /^If it is cut off: run the same command again\. It says what became of each batch, and sends none twice: .*cardctl a2a create .*\n[\s\S]*^Batch 1 of 3 accepted as 88001: 2 transfers, EUR 4\.00\n[\s\S]*^Error /m,
    )
    expect(stderr).not.toContain('Batch 2 of 3 accepted')
    const again = await run([...CREATE, '--again'])
    expect(again.stderr).not.toContain('run the same command again. It says')
  })

  test('the same command again says of each batch whether it was sent, and names the way to the rest', async () => {
    await lose()
    const {code, stderr} = await run(CREATE)
    expect([code, sent.length]).toEqual([10, 2])
    expect(stderr).toMatch(
      /Batch 1 was accepted as 88001: 2 transfers, EUR 4\.00\. The effect of batch 2 is unknown \(request r_\w+\): 2 transfers, EUR 8\.00\. Not sent: 2 transfers, EUR 12\.00 \(batch 3\)\.\n/,
    )
    expect(stderr).toMatch(/First find out .*requests resolve r_\w+ -p served\n/)
    expect(stderr).not.toContain('--again')
    const rest = await run([...CREATE, '--rest'])
    expect([rest.code, sent.length]).toEqual([10, 2])
    expect(rest.stderr).toContain('Not sent: 2 transfers, EUR 12.00 (batch 3)')
  })

  test.each([
    ['effect', [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]],
    ['no-effect', [1.5, 2.5, 3.5, 4.5, 3.5, 4.5, 5.5, 6.5]],
  ] as const)(
    'the line for the rest runs as printed on a live profile, if batch 2 had %s',
    async (what, all) => {
      await home.json(['profiles', 'edit', 'served', '--kind', 'live', '--yes'])
      const {stderr} = await lose([...CREATE, ...AGREED])
      const line = lineIn(stderr, '--rest')
      const again = await run([...CREATE, ...AGREED, '--retries', '0'])
      expect(lineIn(again.stderr, '--rest')).toEqual(line)
      await found(what)
      const rest = await run(line)
      expect([rest.code, amounts()], rest.stderr).toEqual([0, all])
      expect((await run(line)).code).toBe(14)
    },
  )

  test('once it is known, the same command again has the line for just the rest', async () => {
    await home.json(['profiles', 'edit', 'served', '--kind', 'live', '--yes'])
    await lose([...CREATE, ...AGREED])
    await found('effect')
    const {code, stderr} = await run([...CREATE, ...AGREED])
    expect(code).toBe(11)
    expect(stderr).toContain('2 transfers, EUR 12.00 (batch 3)')
    const line = lineIn(stderr, '--rest')
    expect(line.join(' ')).toContain('--confirm-count 2 --confirm-total EUR:12.00')
    expect([(await run(line)).code, sent.length]).toEqual([0, 3])
  })

  test('a refused batch has one way, whether its rows are corrected or not, and none is sent twice', async () => {
    fate = number => (number === 2 ? reply(409, {title: 'cut-off time reached'}) : undefined)
    const {code, stderr} = await run([...CREATE, ...AGREED])
    expect(code).toBe(11)
    expect(stderr).toContain(
      'Batch 2 was refused: 2 transfers, EUR 8.00. Not sent: 2 transfers, EUR 12.00 (batch 3).',
    )
    expect(stderr).not.toMatch(/--rest|send it again/)
    const again = await run([...CREATE, ...AGREED])
    expect(again.stderr).toContain('Batch 2 was refused: 2 transfers, EUR 8.00')
    const line = lineIn(stderr, '--only-new')
    expect(lineIn(again.stderr, '--only-new')).toEqual(line)
    const corrected = await run(line, {stdin: ROWS.replace('Wage 3', 'Wage three')})
    expect([corrected.code, amounts()], corrected.stderr).toEqual([
      ...[0, [1.5, 2.5, 3.5, 4.5, 3.5, 4.5, 5.5, 6.5]],
    ])
    expect((await run(line, {stdin: ROWS.replace('Wage 3', 'Wage three')})).code).toBe(14)
  })

  test('a command beside one that is at it ends as busy, and sends nothing', async () => {
    let arrived: () => void = () => undefined
    const isThere = new Promise<void>(resolve => {
      arrived = resolve
    })
    let go: () => void = () => undefined
    gate = new Promise<void>(resolve => {
      go = resolve
    })
    fate = () => {
      arrived()
      return undefined
    }
    const first = run(ONE)
    await isThere
    const {code, stderr} = await run(ONE)
    go()
    expect([code, (await first).code, sent.length]).toEqual([17, 0, 1])
    expect(stderr).toMatch(
      /Error JOB_RUNNING: Another command is sending the same transfers: request r_\w+\./,
    )
    expect(stderr).toContain('This command sent nothing')
  })
})
