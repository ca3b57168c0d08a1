// What an error suggests helps: in each situation the command is run as printed, and then the error is gone, or the
// table says why it can't be.
import {afterEach, beforeEach, expect, test} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {Advice} from '../../src/errors/advice.ts'
import {errorRegistry} from '../../src/errors/registry.ts'
import type {SuggestedEffect} from '../../src/errors/suggested-command.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {refusalOf} from '../helpers/suggested.ts'

interface Shown {
  readonly code: string
  readonly hint: string
  readonly commands?: readonly {readonly argv: readonly string[]; readonly effect: SuggestedEffect}[]
}

interface Situation {
  /** The commands before, which may fail. */
  readonly before?: readonly (readonly [line: string, options?: RunOptions])[]
  readonly line: string
  readonly options?: RunOptions
  /** Which of the suggested commands, if not the first. */
  readonly at?: number
  /** What a person writes for a word in capitals. */
  readonly fill?: Readonly<Record<string, string>>
  /** What the person adds: an answer on stdin, or a confirmation that is asked for on a terminal. */
  readonly finish?: {readonly words?: readonly string[]; readonly options?: RunOptions}
  /** How the suggested command ends. */
  readonly ends?: number
  /** Why the same line fails in the same way afterwards. */
  readonly same?: string
}

const PATCH = 'accounts limit 2001 4321 --type credit -p svc'
const TRANSFER = 'a2a create --transfer 2006:2007:12.50:EUR:rent --yes -p svc'
const ROWS = {stdin: 'id,creditLimit\n2001,1001\n'}
const BULK = 'bulk run accounts.patchCredit.v4 --from - --rate off -p svc'
const DOWN = 'down'
const UP = 'up'

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'UNAUTHENTICATED on a profile that stores its token': {
    before: [
      ['profiles remove svc'],
      ['profiles add svc --kind test --base-url URL --auth bearer --secret -', {stdin: 'old'}],
    ],
    line: 'cards get 3001 -p svc',
    finish: {options: {stdin: 'good-token'}},
  },
  'UNAUTHENTICATED in profiles test': {
    before: [
      ['profiles remove svc'],
      ['profiles add svc --kind test --base-url URL --auth bearer --secret -', {stdin: 'old'}],
    ],
    line: 'profiles test svc',
    finish: {options: {stdin: 'good-token'}},
  },
  'CONNECTION_FAILED where nobody listens': {
    before: [['profiles add dead --kind test --base-url http://127.0.0.1:9']],
    line: 'cards get 3001 -p dead',
    ends: 9,
    same: 'nobody has started the service',
  },
  'SECRET_MISSING after the secret is gone': {
    before: [
      ['profiles remove svc'],
      ['profiles add svc --kind test --base-url URL --auth bearer --secret env:GONE'],
    ],
    line: 'cards get 3001 -p svc',
    fill: {NAME: 'svc'},
    finish: {options: {stdin: 'good-token'}},
  },
  PROFILE_NOT_FOUND: {line: 'cards get 3001 -p nosuch', same: 'the list names the profiles to choose from'},
  PROFILE_NOT_CHOSEN: {
    line: 'accounts limit 2001 4321 --type credit',
    options: {env: {CARDCTL_PROFILE: ''}},
    fill: {NAME: 'svc'},
  },
  EFFECT_UNKNOWN: {before: [[DOWN]], line: PATCH},
  ALREADY_SENT: {before: [[TRANSFER]], line: TRANSFER, same: 'a repeat has to be meant: --again'},
  'EFFECT_UNKNOWN of transfers': {
    before: [[DOWN], [TRANSFER], [UP]],
    line: TRANSFER,
    ends: 10,
    same: 'absence at the service is no proof; the hint of the second command says what to check',
  },
  'NO_EFFECT of a request that was refused': {
    before: [['accounts limit 9999 4321 --type credit -p svc']],
    line: 'requests resolve REQUEST --exit-code -p svc',
    fill: {ID: 'REQUEST'},
    ends: 5,
    same: 'the service refuses it again, as the account does not exist',
  },
  'CANNOT_UNDO of a first block': {
    before: [['accounts block 2001 --type credit -p svc']],
    line: 'requests undo REQUEST -p svc',
  },
  'CANNOT_UNDO where nothing was written': {
    line: 'requests undo -p svc',
    same: 'there is nothing to undo, which the list shows',
  },
  'PARTLY_DONE of a bulk job': {
    line: BULK,
    options: {stdin: 'id,creditLimit\n2001,1001\n9999,1001\n'},
    same: 'the row is wrong, which the results show',
  },
  'SERVICE_DOWN of a bulk job': {before: [[DOWN]], line: BULK, options: ROWS},
  'NOT_FOUND of a job': {
    line: 'bulk status j_0 -p svc',
    same: 'the id is wrong; the list has the right ones',
  },
  'NOT_FOUND of a request': {
    line: 'requests show r_0 -p svc',
    same: 'the id is wrong; the list has the right ones',
  },
  'USAGE of an unknown command': {
    line: 'cards gte 3001',
    same: 'the command is wrong; its help has the right ones',
  },
  'USAGE of a verb that the service lacks': {
    line: 'cards block 3001',
    fill: {ID: '2001', TYPE: 'credit'},
    same: 'the service has no such operation; the command does what can be done',
  },
  'USAGE of a missing argument': {
    line: 'accounts block',
    same: 'the line lacks a value, which its help describes',
  },
  'ITEMS_IN_PROGRESS of a batch': {
    line: 'a2a create --retry-failed 88000 --yes -p sandbox',
    finish: {words: ['--timeout', '5s']},
    ends: 12,
    same: 'the batch is open for an hour by the clock of the sandbox',
  },
  'USAGE of a batch without failures': {
    before: [[TRANSFER]],
    line: 'a2a create --retry-failed 88001 --yes -p svc',
    same: 'there is nothing to send again, which the batch shows',
  },
  'NOT_FOUND of an enrolment': {
    line: 'remotecheckout delete --customer 1001 --card 3001 --bid B1 --confirm 3001 --yes -p svc',
    same: 'the enrolment is missing',
  },
}

let home: Home
let service: Service
let isDown: boolean
let needsToken: boolean
beforeEach(async () => {
  home = await openHome()
  isDown = false
  needsToken = false
  service = await openService(request => {
    if (isDown) return reply(503, {})
    if (needsToken && request.headers.authorization !== 'Bearer good-token') return reply(401, {})
    return undefined
  })
  await home.run(['profiles', 'add', 'svc', '--kind', 'test', '--base-url', service.url])
})
afterEach(async () => {
  await home.remove()
  await service.close()
})

const given = async (words: readonly string[]): Promise<string[]> => {
  const known: Record<string, string> = {URL: service.url}
  if (words.includes('REQUEST')) {
    const [last] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'svc'])
    known.REQUEST = last?.id ?? ''
  }
  return words.map(word => known[word] ?? word)
}

const withoutIds = (text: string | undefined) => text?.replaceAll(/\b[rj]_\w+/g, 'ID')

const failing = async (line: string, options?: RunOptions) => {
  const {code, stderr} = await home.run([...(await given(line.split(' '))), '-o', 'json', '-q'], options)
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const error = code === 0 ? undefined : (JSON.parse(last) as {error: Shown}).error
  return {code, error}
}

test.each(Object.entries(SITUATIONS))('%s', async (name, situation) => {
  const {before = [], line, options, at = 0, fill = {}, finish = {}, ends = 0, same} = situation
  for (const [step, more] of before) {
    if (step === DOWN || step === UP) isDown = step === DOWN
    else await home.run(await given(step.split(' ')), more)
  }
  needsToken = before.some(([step]) => step.includes('--auth bearer'))
  const first = await failing(line, options)
  isDown = false
  expect({name, code: first.error?.code}).toMatchObject({code: expect.stringMatching(/^[A-Z_]+$/)})
  const suggested = first.error?.commands ?? []
  expect({hint: first.error?.hint, count: suggested.length}).toMatchObject({count: expect.any(Number)})
  for (const {argv} of suggested)
    expect({argv, refusal: await refusalOf(argv)}).toEqual({argv, refusal: undefined})
  const chosen = suggested[at]
  expect(chosen, first.error?.hint).toBeDefined()
  const words = await given((chosen?.argv ?? []).map(word => fill[word] ?? word))
  const help = words.at(-1) === '--help' ? {CARDCTL_OUTPUT: ''} : {}
  const ended = await home.run([...words, ...(finish.words ?? [])], {...finish.options, env: help})
  expect({words, ...ended}).toMatchObject({code: ends})
  const again = await failing(line, options)
  const isSame =
    again.error?.code === first.error?.code && withoutIds(again.error?.hint) === withoutIds(first.error?.hint)
  expect({again, isSame}).toMatchObject({isSame: same !== undefined})
})

/** Codes whose advice names a command, and why no situation here runs it. */
const NOT_RUN: Readonly<Record<string, string>> = {
  NOT_OFFERED: 'needs a dialect; test/commands/dialect*.test.ts run the command',
  JOURNAL_MOVED: 'needs a second machine; test/commands/data-move.test.ts runs the import',
  OTHER_SERVICE: 'needs a service that moved; test/commands/requests-rebind.test.ts runs rebind',
  DISK_FULL: 'needs a full disk; test/commands/full-disk.test.ts runs the command again',
  OUTPUT_UNWRITABLE: 'needs a full disk; the command lists requests as others here do',
  PROFILE_INVALID: 'the specific hints of test/profiles name the setting; the command only shows the profile',
  EARLIER_ROW_FAILED: 'the code of a row, never of a command',
  EARLIER_ROW_UNKNOWN: 'the code of a row, never of a command',
  LEASE_ENDED: 'the code of a row, never of a command',
  FOLLOW_UP_FAILED: 'has its own hint with the id of the request; test/cli/after-effect.test.ts',
  JOB_RUNNING: 'needs a second process that works on the job',
  HUNG_UP: 'needs a signal; the command lists requests as others here do',
  INTERRUPTED: 'needs a signal; the command lists requests as others here do',
  TERMINATED: 'needs a signal; the command lists requests as others here do',
}

test('each code whose advice names a command is in one of the tables', () => {
  const named = Object.entries(errorRegistry).flatMap(([code, {hint}]) =>
    (hint as Advice | string) instanceof Advice && (hint as Advice).commands.length > 0 ? [code] : [],
  )
  const tried = new Set(Object.keys(SITUATIONS).map(name => name.split(' ')[0]))
  expect(named.filter(code => !tried.has(code) && NOT_RUN[code] === undefined)).toEqual([])
  expect(Object.keys(NOT_RUN).filter(code => !named.includes(code) || tried.has(code))).toEqual([])
})

test('the advice of the registry fits its commands', async () => {
  for (const [code, {hint}] of Object.entries(errorRegistry)) {
    const {commands: all} = (hint as Advice | string) instanceof Advice ? (hint as Advice) : new Advice([])
    for (const {argv} of all)
      expect({code, argv, refusal: await refusalOf(argv)}).toEqual({code, argv, refusal: undefined})
  }
  expect(Object.keys(commands).length).toBeGreaterThan(100)
})
