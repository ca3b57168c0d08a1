import {existsSync, readFileSync} from 'node:fs'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {expect, onTestFinished, test, vi} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {decideByProcess} from '../../src/webhook/index.ts'
import {callOf} from './calls.ts'
import {type Answered, listener} from './listener.ts'

const env = childEnvironment(process.env, [])

/** A program in a file: what it does with each line, in JavaScript, with `id`, `call`, `say` and `answer` at hand. */
async function program(perLine: string, before = ''): Promise<{folder: string; command: string}> {
  const folder = await mkdtemp(join(tmpdir(), 'cardctl-process-'))
  onTestFinished(() => rm(folder, {recursive: true, force: true}))
  const file = join(folder, 'decide.mjs')
  const source = `
    import {createInterface} from 'node:readline'
    import {appendFileSync, existsSync, writeFileSync} from 'node:fs'
    const folder = ${JSON.stringify(folder)}
    appendFileSync(folder + '/pids', process.pid + '\\n')
    const say = text => process.stdout.write(text + '\\n')
    const answer = (id, text) => say(JSON.stringify({id, answer: text}))
    ${before}
    for await (const line of createInterface({input: process.stdin})) {
      const {id, call} = JSON.parse(line)
      ${perLine}
    }`
  await writeFile(file, source)
  return {folder, command: `exec ${process.execPath} ${file}`}
}

const pidsIn = (folder: string): number[] =>
  readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0

async function served(perLine: string, {before = '', most = 256, deadlineMs = 20_000} = {}) {
  const {folder, command} = await program(perLine, before)
  const said: [string | undefined, string][] = []
  const trouble: string[] = []
  const decider = decideByProcess(command, {
    env,
    most,
    onStderr: (line, event) => said.push([event, line]),
    onTrouble: message => trouble.push(message),
  })
  return {...(await listener({decider, deadlineMs})), folder, said, trouble}
}

const code = ({body}: Answered) =>
  (body as {transactionData: {authResponseCode: {code: string}}}).transactionData.authResponseCode.code

test('one process decides about all calls, in short or as JSON', async () => {
  const {post, folder, close} = await served(`
    const {amount} = call.transactionData.transactionAmount
    answer(id, amount > 50 ? 'decline 51' : {transactionData: {authResponseCode: {code: '00'}}})`)
  const amounts = [10, 100, 20]
  const codes: string[] = []
  for (const [at, amount] of amounts.entries()) {
    const call = callOf('chip', String(at), {transactionAmount: {amount, currency: 'EUR'}})
    codes.push(code(await post('/auth', call)))
  }
  expect(codes).toEqual(['00', '51', '00'])
  expect(pidsIn(folder)).toHaveLength(1)
  await close()
  expect(pidsIn(folder).filter(isAlive)).toEqual([])
})

test('answers may come in any order, and each goes to its call', async () => {
  const {post, trouble} = await served(
    `kept.push([id, call.metadata.id])
     if (kept.length === 20) for (const [id, name] of kept.reverse()) answer(id, Number(name) % 2 ? 'approve' : 'decline 57')`,
    {before: 'const kept = []'},
  )
  const answers = await Promise.all(
    Array.from({length: 20}, (_, at) => post('/auth', callOf('chip', String(at)))),
  )
  expect(answers.map(code)).toEqual(Array.from({length: 20}, (_, at) => (at % 2 ? '00' : '57')))
  expect(trouble).toEqual([])
})

test('a process that is killed loses no call silently, and is started again', async () => {
  const {post, folder, events, trouble} = await served(
    `if (!existsSync(folder + '/second')) { writeFileSync(folder + '/second', ''); process.kill(process.pid, 'SIGKILL') }
     else answer(id, 'approve')`,
  )
  const first = await post('/auth', callOf('chip', 'a'))
  expect(first.status).toBe(502)
  expect(events).toMatchObject([
    {type: 'rejected', status: 502, reason: 'the command was ended by SIGKILL before it answered'},
  ])
  expect(trouble).toEqual([
    'The command was ended by SIGKILL. 1 call got no decision. It starts again in 100 ms.',
  ])
  // The same call again is decided, by the next process.
  expect(code(await post('/auth', callOf('chip', 'a')))).toBe('00')
  expect(new Set(pidsIn(folder)).size).toBe(2)
})

test('kills from outside, in the middle of many calls: every call gets an answer or a 502', async () => {
  const {post, folder, trouble} = await served("setTimeout(() => answer(id, 'approve'), 5)")
  const statuses: number[] = []
  for (let round = 0; round < 3; round++) {
    await vi.waitFor(() => expect(pidsIn(folder)).toHaveLength(round + 1), {timeout: 10_000})
    const calls = Array.from({length: 40}, (_, at) => post('/auth', callOf('chip', `${round}-${at}`)))
    process.kill(pidsIn(folder).at(-1) ?? 0, 'SIGKILL')
    statuses.push(...(await Promise.all(calls)).map(({status}) => status))
  }
  expect(statuses).toHaveLength(120)
  expect(statuses.filter(status => status !== 200 && status !== 502)).toEqual([])
  await vi.waitFor(() => expect(trouble).toHaveLength(3), {timeout: 10_000})
})

test('a command that ends at once is started with growing pauses, and calls meanwhile are told', async () => {
  const {post, trouble, events} = await served('', {before: 'process.exit(3)', deadlineMs: 1500})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBeGreaterThan(500)
  expect(events).toHaveLength(1)
  await vi.waitFor(() => expect(trouble.length).toBeGreaterThan(1), {timeout: 10_000})
  expect(trouble.map(text => text.replace(/ \d+ calls? got no decision\./, '')).slice(0, 2)).toEqual([
    'The command ended with exit code 3. It starts again in 100 ms.',
    'The command ended with exit code 3. It starts again in 200 ms.',
  ])
})

test('lines that are no answer are named, masked, and decide nothing', async () => {
  const {post, trouble} = await served(`
    say('deciding about 4111111111111111')
    say('{"answer":"approve"}')
    answer('e_99', 'approve')
    answer(id, 'decline 51')
    answer(id, 'approve')`)
  expect(code(await post('/auth', callOf('chip', 'a')))).toBe('51')
  await vi.waitFor(() => expect(trouble).toHaveLength(4))
  expect(trouble[0]).toMatch(/^The command wrote a line that isn't JSON: /)
  expect(trouble[0]).not.toContain('4111111111111111')
  expect(trouble[1]).toMatch(/^The command wrote a line without "id" and "answer": /)
  expect(trouble[2]).toMatch(/^The command wrote an answer to a call that it did not get: /)
  expect(trouble[3]).toMatch(/^The command wrote an answer to a call that is over: /)
})

test('an answer that the call cannot have is refused, and the next call is decided', async () => {
  const {post, events} = await served(`answer(id, call.metadata.id === 'a' ? 'perhaps' : 'approve')`)
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(502)
  expect(events).toMatchObject([{type: 'rejected', reason: expect.stringContaining('none of: approve')}])
  expect(code(await post('/auth', callOf('chip', 'b')))).toBe('00')
})

test('what it writes to stderr is shown with its call', async () => {
  const {post, said} = await served(
    `console.error('about ' + id); console.error('thinking'); answer(id, 'approve')`,
  )
  await post('/auth', callOf('chip', 'a'))
  await vi.waitFor(() => expect(said).toHaveLength(2))
  expect(said[0]).toEqual(['e_1', 'about e_1'])
})

test('calls beyond its room wait, and late ones give their place back', async () => {
  const {post} = await served(`if (call.metadata.id !== 'stuck') answer(id, 'approve')`, {
    most: 1,
    deadlineMs: 1000,
  })
  const stuck = post('/auth', callOf('chip', 'stuck'))
  expect((await stuck).status).toBe(503)
  const others = await Promise.all(['a', 'b', 'c'].map(id => post('/auth', callOf('chip', id))))
  expect(others.map(code)).toEqual(['00', '00', '00'])
})

test('a call has one line, with its digits as they came', async () => {
  const {post, folder} = await served(`writeFileSync(folder + '/line', line); answer(id, 'approve')`)
  const text = JSON.stringify(callOf('chip', 'a'), null, 2).replace('"amount": 100', '"amount": 100.00')
  expect((await post('/auth', text)).status).toBe(200)
  const line = readFileSync(join(folder, 'line'), 'utf8')
  expect(line).toContain('"amount": 100.00')
  expect(JSON.parse(line)).toMatchObject({id: 'e_1', call: {metadata: {id: 'a'}}})
})

test('a process that does not end by itself is ended with the server, with what it started', async () => {
  const {post, folder, close} = await served(`answer(id, 'approve')`, {
    before: `
      import('node:child_process').then(({spawn}) =>
        appendFileSync(folder + '/pids', spawn('sleep', ['600'], {stdio: 'ignore'}).pid + '\\n'))
      process.on('SIGTERM', () => undefined)
      setInterval(() => undefined, 1000)`,
  })
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(200)
  await vi.waitFor(() => expect(pidsIn(folder)).toHaveLength(2), {timeout: 10_000})
  await close()
  await vi.waitFor(() => expect(pidsIn(folder).filter(isAlive)).toEqual([]), {timeout: 10_000})
})
