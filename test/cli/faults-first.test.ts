// What was typed wrongly is said before the first question: in every command that asks one.
import {execFileSync, spawn} from 'node:child_process'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Class {
  readonly args?: Readonly<Record<string, {readonly required?: boolean}>>
  readonly flags?: Readonly<Record<string, {readonly required?: boolean; readonly helpValue?: unknown}>>
  readonly claims?: readonly (keyof typeof operations)[]
  readonly guide?: {
    readonly needs?: readonly unknown[]
    readonly fields?: Readonly<Record<string, string>>
    readonly likeOperation?: keyof typeof operations
  }
}

const all = await Promise.all(
  Object.entries(commands).map(async ([id, load]) => {
    const loaded: unknown = await load()
    return [id, (loaded as {default?: Class}).default ?? (loaded as Class)] as const
  }),
)
const isHelp = (id: string) => ['help', 'tour', 'mcp', 'x', 'api', 'completion'].includes(id)
const asking = all.filter(([id]) => !isHelp(id) && !id.startsWith('profiles'))

/** Nobody answers: a question makes the test fail. */
const refused = async (argv: readonly string[], words: RegExp): Promise<void> => {
  const {code, stderr} = await home.run(argv, {typed: []}).catch((error: unknown) => {
    throw new Error(`${argv.join(' ')}: ${error}`)
  })
  expect([code === 0, stderr.replaceAll(/\s+/g, ' ')], argv.join(' ')).toEqual([
    false,
    expect.stringMatching(words),
  ])
}

it('a profile that does not exist', {timeout: 120_000}, async () => {
  const needy = asking.filter(
    ([, {args = {}, flags = {}, guide}]) =>
      guide?.needs !== undefined ||
      [...Object.values(args), ...Object.values(flags)].some(one => one.required),
  )
  expect(needy.length).toBeGreaterThan(30)
  for (const [id] of needy) await refused([...id.split(':'), '-p', 'nowhere'], /nowhere/)
})

it('an id that cannot be one', {timeout: 120_000}, async () => {
  const ids = asking.flatMap(([id, {args = {}, claims = [], guide}]) => {
    const [name] = Object.keys(args)
    const [operation = guide?.likeOperation] = claims
    if (operation === undefined || name === undefined) return []
    const params: readonly string[] = operations[operation].pathParams
    const {topic, effect} = operations[operation]
    // The ids of other topics may have any form.
    const isChecked = effect !== 'read' && ['accounts', 'cards'].includes(topic)
    return isChecked && params.includes(name) ? [id] : []
  })
  expect(ids).toEqual(expect.arrayContaining(['accounts:block', 'accounts:limit', 'accounts:patch']))
  for (const id of ids) await refused([...id.split(':'), '20x1', '-i'], /20x1|\bid\b|digits/i)
})

it('a file that is not there', {timeout: 120_000}, async () => {
  const missing = join(home.folder, 'missing.csv')
  const reading = asking.filter(([, {flags = {}}]) => String(flags.from?.helpValue).startsWith('FILE'))
  expect(reading.length).toBeGreaterThan(2)
  for (const [id] of reading) await refused([...id.split(':'), '--from', missing, '-i'], /missing\.csv/)
  const bodies = asking.filter(([, {flags = {}}]) => 'data' in flags && 'field' in flags)
  for (const [id] of bodies) await refused([...id.split(':'), '--data', `@${missing}`, '-i'], /missing\.csv/)
})

describe('what is asked for later', () => {
  it.each([
    ['the type of an account', ['accounts', 'block', '20x1'], /20x1|digits/],
    ['the type of an account, with a limit', ['accounts', 'limit', '2001', '12x'], /AMOUNT/],
    ['a field', ['accounts', 'patch', '--type', 'credit', '-F', 'creditLimit=many'], /creditLimit/],
    ['an enumerated field', ['accounts', 'patch', '--type', 'credit', '-F', 'status=open'], /status/],
    ['a field of a flag', ['accounts', 'patch', '--type', 'credit', '--status', 'open', '-i'], /status/],
    ['broken data', ['accounts', 'patch', '2001', '--type', 'credit', '--data', '{', '-i'], /--data/],
    ['a transfer', ['a2a', 'create', '--transfer', '2006:2007:x:EUR', '-i'], /amount/],
  ])('%s', async (_, argv, words) => {
    await refused(argv, words)
  })
})

it('but nothing that -F takes: a list as JSON, an item of one, a field', async () => {
  const limits = '[{"code":"DAILY","values":[{"code":"ALL","sumAmount":500}]}]'
  for (const field of [
    `usageLimits=${limits}`,
    'usageLimits[0].values[0].sumAmount=500',
    'creditLimit=700',
  ]) {
    const argv = ['accounts', 'patch', '2001', '-F', field]
    const {stderr} = await home.run([...argv, '--dry-run'], {typed: [['Type', '\u0003']]})
    expect(stderr, field).not.toContain('CONTRACT_VIOLATION')
    expect(stderr, field).toContain('INTERRUPTED')
  }
})

it.skipIf(process.platform === 'win32')(
  'and reads no pipe, which the command would then find empty',
  async () => {
    const add =
      'profiles add desk --kind live --base-url http://127.0.0.1:9 --auth none --profile-audit-user Aino'
    await home.run(add.split(' '))
    const pipe = join(home.folder, 'body.json')
    execFileSync('mkfifo', [pipe])
    const writer = spawn('sh', ['-c', 'printf %s "$1" > "$0"', pipe, '{"creditLimit":700}'])
    const argv = ['accounts', 'patch', '2001', '--type', 'credit', '--data', `@${pipe}`, '-p', 'desk']
    const {stderr} = await home.run(argv, {typed: [['Type', '2001']]})
    writer.kill()
    expect(stderr).toContain('creditLimit  700')
    expect(stderr).toContain('CONNECTION_FAILED')
  },
)
