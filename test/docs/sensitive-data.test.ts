// docs/security.md says which files there are and what none of them holds.
import {globSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {pages} from './pages.ts'

const PAN = '4111111111111111'
const page = pages().find(({path}) => path === 'docs/security.md')?.text ?? ''

let home: Home
let env: Record<string, string>
let files: readonly string[]
let printed = ''
let revealed = ''

beforeAll(async () => {
  home = await openHome()
  env = {
    CARDCTL_DATA_DIR: join(home.folder, 'data'),
    CARDCTL_CONFIG_DIR: join(home.folder, 'config'),
    // No keyring answers, whatever the machine has.
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${home.folder}/none`,
  }
  const run = async (argv: readonly string[], stdin = '', code = 0): Promise<string> => {
    const result = await home.run(argv, {stdin, env})
    expect(result.code, `${argv.join(' ')}: ${result.stderr}`).toBe(code)
    return result.stdout + result.stderr
  }
  printed += await run(['cards', 'get', '--pan-stdin', '--debug'], `${PAN}\n`)
  printed += await run(['cards', 'get', '--pan-stdin', '--dry-run'], `${PAN}\n`)
  printed += await run(['cards', 'get', '--pan-stdin', '--curl'], `${PAN}\n`)
  printed += await run(['cards', 'payment-info', '3001', '--debug'])
  printed += await run(['pin', 'set', '3004', '--debug'], '8253\n')
  printed += await run(['cards', 'payment-info', '3001', '--reveal'], '', 2)
  revealed = await run(['cards', 'payment-info', '3001', '--reveal', '--yes', '-o', 'json'])
  await run(
    [
      'profiles',
      'add',
      'own',
      '--kind',
      'test',
      '--base-url',
      'https://api.example',
      '--auth',
      'bearer',
      '--secret',
      '-',
    ],
    'token-of-a-test\n',
  )
  files = globSync('**/*', {cwd: home.folder, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
})
afterAll(() => home.remove())

test('every file that is created is documented', () => {
  const data = join(home.folder, 'data/')
  const made = files
    .filter(path => path.startsWith(data) && !/-(wal|shm)$/.test(path))
    .map(path => path.slice(data.length).replace('journal/sandbox.', 'journal/SERVICE.'))
  expect(made.length).toBeGreaterThan(3)
  expect(made.filter(name => !page.includes(`\`${name}\``))).toEqual([])
})

test('all of them are for the user alone', () => {
  const open = files.filter(path => (statSync(path).mode & 0o077) !== 0)
  expect(open).toEqual([])
})

test('a reveal shows the value, and nothing else does', () => {
  expect(revealed).toContain(PAN)
  expect(printed).not.toContain(PAN)
  expect(printed).toContain('[masked]')
})

test('no file holds the card number, and only secrets.json a credential', () => {
  const holding = (text: string): readonly string[] => files.filter(path => readFileSync(path).includes(text))
  expect(holding(PAN)).toEqual([])
  expect(holding('token-of-a-test')).toEqual([join(home.folder, 'data/secrets.json')])
})

test('each reveal leaves a line in the audit trail', async () => {
  const lines = await home.json<unknown[]>(['audit', 'list', '--kind', 'reveal'], {env})
  expect(lines).toHaveLength(1)
})
