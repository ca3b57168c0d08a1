import {spawnSync} from 'node:child_process'
import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {commandLine, typedLine} from '../../src/cli/command-line.ts'
import type {Word} from '../../src/errors/suggested-command.ts'
import type {Chosen} from '../../src/profiles/index.ts'
import {type Home, openHome, type RunOptions, type RunResult} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {refusalOf, suggestedLines} from '../helpers/suggested.ts'

const BULK = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--rate', 'off']
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321']
const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes']
const ENROL = ['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', '--bid', 'B1']

let home: Home
let service: Service
let isDown: boolean
beforeEach(async () => {
  home = await openHome()
  isDown = false
  service = await openService(() => (isDown ? reply(503, {}) : undefined))
  const added = ['profiles', 'add', 'svc', '--kind', 'test', '--base-url', service.url]
  expect((await home.run(added)).code).toBe(0)
})
afterEach(async () => {
  await home.remove()
  await service.close()
})

/** The command lines in what was printed, and how each ends when somebody pastes it into a new shell. */
async function paste({stderr}: RunResult): Promise<{line: string; code: number}[]> {
  const lines = [...stderr.matchAll(/(?:CARDCTL_BASE_URL=\S+ )?cardctl [a-z2]+ [^;\n]*/g)].map(
    ([line]) => line,
  )
  const pasted = []
  for (const line of lines) {
    const words = line.split(' ')
    const env = words[0]?.startsWith('CARDCTL_BASE_URL=') ? {CARDCTL_BASE_URL: words[0].slice(17)} : undefined
    const argv = words.slice(env ? 2 : 1)
    pasted.push({line, code: (await home.run(argv, env && {env})).code})
  }
  return pasted
}

test('hints in a log name the folders that only the environment of the job has', async () => {
  const data = join(home.folder, "the night's data")
  isDown = true
  const {stderr} = await home.run([...PATCH, '-p', 'svc'], {env: {CARDCTL_DATA_DIR: data}})
  const [line = ''] = /CARDCTL_DATA_DIR=.*$/m.exec(stderr) ?? []
  const shell = `cardctl() { printf '%s\\n' "$CARDCTL_DATA_DIR" "$1 $2"; }; ${line}`
  const pasted = spawnSync('sh', ['-c', shell], {encoding: 'utf8'})
  expect(pasted.stdout.split('\n')).toEqual([data, 'requests resolve', ''])
})

const waysToName: [string, readonly string[], RunOptions][] = [
  ['a profile by flag', ['-p', 'svc'], {}],
  ['a profile by environment', [], {env: {CARDCTL_PROFILE: 'svc'}}],
  ['an address by environment', [], {env: {CARDCTL_BASE_URL: ''}}],
]

describe.each(waysToName)('hints of a command with %s can be pasted', (_, flags, given) => {
  const options = (more: RunOptions = {}): RunOptions => {
    const env = given.env?.CARDCTL_BASE_URL === '' ? {CARDCTL_BASE_URL: service.url} : given.env
    return {...more, ...(env ? {env} : {})}
  }
  const run = (argv: readonly string[], more?: RunOptions) => home.run([...argv, ...flags], options(more))

  test('of a request whose effect is unknown, and of transfers sent twice', async () => {
    isDown = true
    const [lost, moved] = [await run(PATCH), await run(CREATE)]
    expect([lost.code, moved.code]).toEqual([10, 10])
    isDown = false
    const [found] = await paste(lost)
    expect(found).toEqual({line: expect.stringContaining('requests resolve r_'), code: 0})
    const [batch] = await paste(moved)
    // Absence is no proof: it is looked for at the right service, and not found.
    expect(batch).toEqual({line: expect.stringContaining('requests resolve r_'), code: 10})
    const [foundAgain, rest] = await paste(await run(CREATE))
    expect(foundAgain).toEqual({line: batch?.line, code: 10})
    // What is left is not known before that.
    expect(rest).toEqual({line: expect.stringMatching(/a2a create .*--rest/), code: 10})
    const [list, finding] = await paste(await run(['requests', 'resolve', 'last']))
    expect(list).toEqual({line: expect.stringContaining('a2a list --all'), code: 0})
    // Refused only because there is no terminal to confirm it.
    expect(finding).toEqual({
      line: expect.stringMatching(/requests resolve r_\w+ --found no-effect --because TEXT/),
      code: 2,
    })
    const [confirmed] = await paste({...moved, stderr: `${finding?.line} --yes`})
    expect(confirmed?.code).toBe(0)
  })

  test('of transfers that were sent before: each whole, to the end of its line', async () => {
    const sent = await run(CREATE)
    expect(sent.code, sent.stderr).toBe(0)
    const {code, stderr} = await run(CREATE)
    expect(code).toBe(14)
    const lines = suggestedLines(stderr)
    expect(lines.length).toBeGreaterThan(0)
    for (const argv of lines)
      expect({argv, refusal: await refusalOf(argv)}).toEqual({argv, refusal: undefined})
    expect(stderr).toContain('with --again')
  })

  test('of a bulk job that stopped', async () => {
    isDown = true
    const stopped = await run(BULK, {stdin: 'id,creditLimit\n2001,1001\n'})
    expect(stopped.code).toBe(11)
    isDown = false
    const [goOn] = await paste(stopped)
    expect(goOn).toEqual({line: expect.stringContaining('bulk resume j_'), code: 0})
    const failed = await paste(await run(BULK, {stdin: 'id,creditLimit\n9999,1001\n'}))
    // The first line says how to go on if the run breaks; it has ended.
    expect(failed).toEqual([
      {line: expect.stringContaining('bulk resume j_'), code: 5},
      {line: expect.stringMatching(/bulk results j_.* --state failed/), code: 0},
    ])
  })

  test('of an operation that goes on', async () => {
    const started = await run(ENROL)
    expect(started.code).toBe(0)
    expect(await paste(started)).toEqual([{line: expect.stringContaining('remotecheckout status'), code: 0}])
  })
})

test('words are quoted for a shell', () => {
  expect(commandLine(['cards', 'get', {value: "3001; rm -rf '$HOME'"}], undefined).toString()).toBe(
    `cardctl cards get '3001; rm -rf '\\''$HOME'\\'''`,
  )
})

test.each([
  [['cards', 'get', '3001', '-o', 'json'], 'cardctl cards get 3001 -o json'],
  [['bulk', 'run', '--from', 'C:\\my rows\\a.csv'], 'cardctl bulk run --from "C:\\my rows\\a.csv"'],
  [['cards', 'list', '--columns', 'id,status'], 'cardctl cards list --columns "id,status"'],
  [['find', "O'Brien $HOME"], "cardctl find 'O''Brien $HOME'"],
  [['bulk', 'run', '--from', 'C:\\my rows\\'], "cardctl bulk run --from 'C:\\my rows\\'"],
])('words %j are quoted for PowerShell on Windows', (words, line) => {
  expect(String(typedLine(words, undefined, 'win32'))).toBe(line)
})

describe('a value of the service is no flag, and no card number', () => {
  const chosen = {name: 'svc', explicit: true, provenance: {baseUrl: {from: 'profile'}}} as unknown as Chosen

  test.each<[readonly Word[], string]>([
    [['a2a', 'watch', {value: '--yes'}], 'a2a watch -p svc -- --yes'],
    [['a2a', 'get', {value: '-x'}, '--all'], 'a2a get --all -p svc -- -x'],
    [
      ['accounts', 'limit', {value: '-1'}, {value: '5'}, '--type', {value: 'credit'}],
      'accounts limit --type credit -p svc -- -1 5',
    ],
    [['cards', 'list', '--customer', {value: '--yes'}], 'cards list --customer=--yes -p svc'],
    [['cards', 'get', {value: '4111111111111111'}], 'cards get ID -p svc'],
    [
      ['a2a', 'get', {value: '88001'}, '--failed-to', {value: 'failed-4111 1111 1111 1111.csv'}],
      'a2a get 88001 --failed-to ID -p svc',
    ],
    [['cards', 'get', {value: '3001'}], 'cards get 3001 -p svc'],
  ])('%j', (words, line) => {
    expect(String(commandLine(words, chosen))).toBe(`cardctl ${line}`)
  })
})

test('no hint puts a command line together by itself', () => {
  const own = ['src/errors/suggested-command.ts', 'src/commands/tour.ts']
  const sources = globSync('src/**/*.ts').filter(file => !own.includes(file.replaceAll('\\', '/')))
  expect(sources.length).toBeGreaterThan(300)
  const byHand = sources.filter(file => /`[^`\n]*\bcardctl [a-z][^`\n]*\$\{/.test(readFileSync(file, 'utf8')))
  expect(byHand).toEqual([])
})
