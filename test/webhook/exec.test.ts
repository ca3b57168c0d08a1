import {existsSync, readFileSync} from 'node:fs'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {expect, onTestFinished, test} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import type {Decider, ReceivedStep} from '../../src/webhook/decide.ts'
import {decideByCommand, firstDecision} from '../../src/webhook/index.ts'
import {callOf, requestFor} from './calls.ts'
import {listener} from './listener.ts'

const env = childEnvironment(process.env, [])

/** A listener behind which a shell command decides. */
async function served(command: string, deadlineMs = 10_000, options: {most?: number} = {}) {
  const stderr: string[] = []
  const decider = decideByCommand(command, {env, onStderr: line => stderr.push(line), ...options})
  return {...(await listener({decider, deadlineMs})), stderr}
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cardctl-exec-'))
  onTestFinished(() => rm(path, {recursive: true}))
  return path
}

const code = (body: unknown) =>
  (body as {transactionData: {authResponseCode: {code: string}}}).transactionData.authResponseCode.code

test.each([
  ['echo approve', '00'],
  ['echo "  decline 51"; echo', '51'],
  ['echo decline do_not_honor', 'DO_NOT_HONOR'],
  ['echo partial 30 EUR', '10'],
  [`echo '{"transactionData": {"authResponseCode": {"code": "62"}}, "note": 1}'`, '62'],
  // The call stands on stdin, whole.
  ['grep -q "\\"id\\":\\"a\\"" && echo decline 57', '57'],
])('%s', async (command, expected) => {
  const {post, events} = await served(command)
  const answer = await post('/auth', callOf('fuel', 'a'))
  expect(answer.status).toBe(200)
  expect(code(answer.body)).toBe(expected)
  expect(events).toMatchObject([{type: 'auth', by: 'exec'}])
})

test.each([
  ['exit 3', 'the command ended with exit code 3'],
  ['echo approve; exit 1', 'the command ended with exit code 1'],
  ['kill -9 $$', 'the command ended with a signal'],
  ['cat >/dev/null', 'the command: it wrote no answer'],
  [
    'echo yes',
    'the command: its answer is none of: approve, decline CODE, partial AMOUNT CURRENCY, or the JSON of an answer',
  ],
  ['echo approve everything', 'the command: its answer is none of: approve'],
  ['echo decline 00', 'the command: its decline needs a code: 05, 14, '],
  ['echo decline OK', 'the command: its decline needs a code: 05, 14, '],
  [
    'echo partial 30 EUR',
    'the command: its answer is invalid: the merchant does not support partial approvals: partialApprovalCapable of the call is not true',
  ],
  ['echo "{"', 'the command: its answer is invalid JSON'],
  ['echo "{}"', 'the command: its answer is invalid: '],
  ['/nowhere/at-all 2>/dev/null', 'the command ended with exit code 127'],
  ['yes', 'the command wrote more than 64 KiB'],
])('%s is no decision', async (command, reason) => {
  const {post, events, exchanges} = await served(command)
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(502)
  expect(events).toMatchObject([
    {type: 'rejected', id: 'a', merchant: 'Kahvila Aino', reason: expect.stringContaining(reason)},
  ])
  expect(exchanges[0]?.steps).toMatchObject([{by: 'exec', said: expect.stringContaining(reason)}])
})

test('what a command wrote instead of an answer is recorded, masked', async () => {
  const {post, exchanges} = await served('echo maybe 4111111111111111')
  await post('/auth', callOf('chip', 'a'))
  const [step] = exchanges[0]?.steps ?? []
  expect(step?.said).toMatch(/its answer is none of: .*; it wrote maybe /)
  expect(JSON.stringify(exchanges)).not.toContain('4111111111111111')
})

test('nothing of a call is in the words or the environment of a command', async () => {
  const {post, stderr} = await served('env >&2; echo "$0 $*" >&2; echo approve')
  await post('/auth', callOf('chip', 'id-that-is-only-here'))
  expect(stderr.length).toBeGreaterThan(1)
  expect(stderr.join('\n')).not.toContain('id-that-is-only-here')
})

test('the stderr of a command is passed on line by line, card numbers masked', async () => {
  const {post, stderr} = await served('printf "one\\ncard 4111111111111111\\nlast" >&2; echo approve')
  await post('/auth', callOf('chip', 'a'))
  expect(stderr).toEqual(['one', 'card 411111••••••1111', 'last'])
})

/** Whether a process runs. One that was killed may stay as a zombie where nobody reaps orphans. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // Where there is no /proc, somebody reaps.
    return (error as NodeJS.ErrnoException).syscall !== 'kill' && !existsSync('/proc')
  }
}

test('at the deadline a command is killed with all that it has started', async () => {
  const file = join(await folder(), 'pid')
  const {post, events, exchanges} = await served(`sleep 1000 & echo $! > ${file}; wait; echo approve`, 700)
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(503)
  expect(events).toMatchObject([{type: 'late', id: 'a'}])
  expect(exchanges[0]?.steps).toEqual([{by: 'exec', said: 'killed at the deadline'}])
  const pid = Number(await readFile(file, 'utf8'))
  expect(pid).toBeGreaterThan(1)
  await expect.poll(() => lives(pid)).toBe(false)
})

test('does not wait for a process that holds the output of an ended command', async () => {
  const {post, events} = await served('sleep 20 & echo approve', 2000)
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(200)
  expect(events).toMatchObject([{type: 'auth', by: 'exec'}])
})

/** Asks a decider itself, so that the order and the deadlines are the test's. */
function asked(decider: Decider, id: string) {
  const steps: ReceivedStep[] = []
  const deadline = new AbortController()
  const request = requestFor(callOf('chip', id), {signal: deadline.signal, note: step => steps.push(step)})
  return {steps, deadline, decision: Promise.resolve(decider.decide(request))}
}

test('commands beyond the limit wait for their turn, first come, first served', async () => {
  const place = join(await folder(), 'taken')
  const stderr: string[] = []
  // Who finds the place taken fails.
  const command = `mkdir ${place} && grep -o '"id":"[a-d]"' >&2; sleep 0.05; rmdir ${place} && echo approve`
  const decider = decideByCommand(command, {env, onStderr: line => stderr.push(line), most: 1})
  const ids = ['a', 'b', 'c', 'd']
  const decisions = await Promise.all(ids.map(id => asked(decider, id).decision))
  expect(decisions).toMatchObject(ids.map(() => ({by: 'exec', answer: {kind: 'reply'}})))
  expect(stderr).toEqual(ids.map(id => `"id":"${id}"`))
})

test('a command waits for its turn until the deadline, and then delays no other', async () => {
  const begun = join(await folder(), 'begun')
  const decider = decideByCommand(`echo >>${begun}; sleep 0.2; echo approve`, {
    env,
    onStderr: () => {},
    most: 1,
  })
  const [first, second, third] = [asked(decider, 'a'), asked(decider, 'b'), asked(decider, 'c')]
  second.deadline.abort()
  await expect(second.decision).rejects.toThrow()
  expect(second.steps).toEqual([{by: 'exec', said: 'waited for other commands until the deadline'}])
  expect(await Promise.all([first.decision, third.decision])).toMatchObject([{by: 'exec'}, {by: 'exec'}])
  expect(await readFile(begun, 'utf8')).toBe('\n\n')
})

test('a process that left the group of a command does not delay other commands', async () => {
  const {post, exchanges} = await served('setsid sleep 5 & echo approve; sleep 5', 200, {most: 1})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(503)
  await expect
    .poll(async () => {
      await post('/auth', callOf('chip', 'b'))
      return exchanges.at(-1)?.steps
    })
    .toEqual([{by: 'exec', said: 'killed at the deadline'}])
})

test('a line that is too long is masked before it is cut', async () => {
  const {post, stderr} = await served(
    `printf '%4090s4111111111111111 x\n%16373s4111111111111111%90000s\nend\n' '' '' y >&2; echo approve`,
  )
  await post('/auth', callOf('chip', 'a'))
  await expect.poll(() => stderr.at(-1)).toBe('end')
  expect(stderr[0]).toMatch(/411111••••••1111 x$/)
  expect(stderr[1]).toMatch(/411111•{5} …$/)
})

test('closing kills what still runs', async () => {
  const file = join(await folder(), 'pid')
  const decider = firstDecision([decideByCommand(`echo $$ > ${file}; sleep 1000`, {env, onStderr: () => {}})])
  const {post} = await listener({decider, deadlineMs: 60_000})
  post('/auth', callOf('chip', 'a')).catch(() => undefined)
  const pid = async () => Number(await readFile(file, 'utf8').catch(() => '0'))
  await expect.poll(pid).toBeGreaterThan(1)
  decider.close?.()
  const id = await pid()
  await expect.poll(() => lives(id)).toBe(false)
})
