// data remove --all: what cardctl wrote goes, what others wrote stays, and nothing goes while an effect is open.
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Home, openHome} from '../helpers/cli.ts'

const DATA = '.local/share/cardctl'
const REMOVE = ['data', 'remove', '--all']
const ROWS = 'from,to,amount,currency\n2006,2007,12.50,EUR\n'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const filesHere = (): readonly string[] =>
  readdirSync(home.folder, {recursive: true, withFileTypes: true})
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name).slice(home.folder.length + 1))
    .sort()

/** Leaves files of most kinds, and one of somebody else. */
async function useIt(): Promise<void> {
  writeFileSync(join(home.folder, '.bashrc'), 'alias ll="ls -l"\n')
  await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000'])
  const add = [
    'profiles',
    'add',
    'own',
    '--kind',
    'test',
    '--base-url',
    'https://api.example',
    '--auth',
    'bearer',
  ]
  await home.run([...add, '--secret', '-'], {stdin: 'a-token\n'})
  await home.run(['completion', 'install', 'bash', '--yes'])
  await home.run(['contract', 'import', 'examples/rates.yaml', '--name', 'rates', '-p', 'own'])
  mkdirSync(join(home.folder, DATA, 'mine'), {recursive: true})
  writeFileSync(join(home.folder, DATA, 'mine/notes.txt'), 'mine')
}

it('removes what cardctl wrote, completion blocks included, and nothing else', async () => {
  await useIt()
  const before = filesHere()
  expect(before.length).toBeGreaterThan(8)

  const dry = await home.json<{removed: boolean; profiles: string[]; stays: string[]}>([
    ...REMOVE,
    '--dry-run',
  ])
  expect(dry).toMatchObject({removed: false, profiles: ['own']})
  expect(dry.stays).toEqual([join(home.folder, DATA, 'mine/notes.txt')])
  expect(filesHere()).toEqual(before)

  const {stdout, code, stderr} = await home.run([...REMOVE, '--confirm', 'all'])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('profile own, with its secrets')
  expect(stdout.split('completion/cardctl.bash')).toHaveLength(2)
  expect(stdout).toContain(`the block of completion for bash in ${join(home.folder, '.bashrc')}`)
  expect(filesHere()).toEqual(['.bashrc', `${DATA}/mine/notes.txt`])
  expect(readFileSync(join(home.folder, '.bashrc'), 'utf8')).toBe('alias ll="ls -l"\n')
  expect(existsSync(join(home.folder, '.config/cardctl'))).toBe(false)

  expect((await home.run([...REMOVE, '--confirm', 'all'])).stdout).toContain('Nothing is kept.')
  expect(
    (await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=1'])).code,
  ).toBe(0)
})

it('lists of completion what is there, and no file twice', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) await home.run(['completion', 'install', shell, '--yes'])
  rmSync(join(home.folder, '.config/cardctl/completion/cardctl.zsh'))
  const mine = join(home.folder, '.config/cardctl/completion/mine.zsh')
  writeFileSync(mine, 'mine')
  const where = await home.json<{path: string}[]>(['data', 'where'])
  expect(where.map(({path}) => path)).toContain(join(home.folder, '.config/fish/completions/cardctl.fish'))

  const {stdout} = await home.run([...REMOVE, '--dry-run'])
  const inHome = (path: string): string => join(home.folder, path)
  expect(
    stdout
      .trim()
      .replaceAll(/, [\d.]+ kB$/gm, '')
      .split('\n'),
  ).toEqual([
    'Would be removed:',
    `  the block of completion for bash in ${inHome('.bashrc')}`,
    `  the block of completion for zsh in ${inHome('.zshrc')}`,
    `  ${inHome('.config/cardctl/completion/cardctl.bash')}`,
    `  ${inHome('.config/fish/completions/cardctl.fish')}`,
    'Not written by cardctl, or used by others, so it stays:',
    `  ${mine}`,
  ])
  expect((await home.run([...REMOVE, '--confirm', 'all'])).code).toBe(0)
  expect(filesHere()).toEqual(['.bashrc', '.config/cardctl/completion/mine.zsh', '.zshrc'])
})

it('needs --all, and more than --yes', async () => {
  await useIt()
  const before = filesHere()
  for (const argv of [['data', 'remove'], REMOVE, [...REMOVE, '--yes'], [...REMOVE, '--confirm', 'al']]) {
    const {code, stderr} = await home.run(argv)
    expect([argv, code], stderr).toEqual([argv, 2])
  }
  expect(filesHere()).toEqual(before)
})

it('asks on a terminal for the word, and names what goes', async () => {
  await useIt()
  const before = filesHere()
  const no = await home.run(REMOVE, {columns: 80, typed: [['Type all', 'no']]})
  expect(no.code).toBe(2)
  expect(no.stderr.replaceAll(/\s+/g, ' ')).toContain('profile own, with its secrets')
  expect(filesHere()).toEqual(before)
  const yes = await home.run(REMOVE, {columns: 80, typed: [['Type all', 'all']]})
  expect(yes.code, yes.stderr).toBe(0)
  expect(filesHere()).toHaveLength(2)
})

it('is refused while an effect is open', async () => {
  await home.run([
    'sandbox',
    'faults',
    'add',
    '--operation',
    'a2a.create.v1',
    '--drop',
    'after',
    '--count',
    '1',
  ])
  expect((await home.run(['a2a', 'create', '--from', '-', '--yes'], {stdin: ROWS})).code).toBe(10)
  const before = filesHere()
  const {code, stderr} = await home.run([...REMOVE, '--confirm', 'all'])
  expect(code).toBe(2)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('1 request whose effect is unknown')
  expect(stderr).toContain('cardctl requests list --open')
  expect((await home.json<{removed: boolean}>([...REMOVE, '--dry-run'])).removed).toBe(false)
  expect(filesHere()).toEqual(before)
  expect((await home.run(['requests', 'resolve', 'last'])).code).toBe(0)
  expect((await home.run([...REMOVE, '--confirm', 'all'])).code).toBe(0)
  expect(filesHere()).toEqual([])
})

it('removes what is in the keyring, also of a live profile', async () => {
  const stored = new Map<string, string>()
  const openKeyring = () =>
    Promise.resolve({
      get: (account: string) =>
        Promise.resolve(stored.has(account) ? new Secret(stored.get(account) ?? '') : undefined),
      set: async (account: string, secret: Secret) => void stored.set(account, secret.open()),
      delete: async (account: string) => void stored.delete(account),
    })
  const add = [
    'profiles',
    'add',
    'prod',
    '--kind',
    'live',
    '--base-url',
    'https://api.example',
    '--auth',
    'bearer',
  ]
  const added = await home.run([...add, '--secret', '-', '--profile-audit-user', 'Aino Virtanen'], {
    stdin: 'a-token\n',
    openKeyring,
  })
  expect(added.code, added.stderr).toBe(0)
  await home.run(
    ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000', '-p', 'sandbox'],
    {openKeyring},
  )
  expect(stored.size).toBe(2)
  const before = filesHere()
  // The rules of a live profile go only if a person agrees at a terminal.
  const alone = await home.run([...REMOVE, '--confirm', 'all'], {openKeyring})
  expect([alone.code, stored.size, filesHere()], alone.stderr).toEqual([3, 2, before])
  const {code, stderr} = await home.run(REMOVE, {
    openKeyring,
    columns: 80,
    typed: [
      ['Type all', 'all'],
      ['Type prod', 'prod'],
    ],
  })
  expect([code, stored.size, filesHere()], stderr).toEqual([0, 0, []])
})
