// What `completion install` does to a start-up file that is not plain text in a plain file: nothing of it gets lost.
import {execFileSync} from 'node:child_process'
import {lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
let startup: string
beforeEach(async () => {
  home = await openHome()
  startup = join(home.folder, '.bashrc')
})
afterEach(() => home.remove())

const command = (verb: 'install' | 'uninstall') => home.run(['completion', verb, 'bash', '--yes'])

test.for([
  ['Latin-1', Buffer.from('alias x="caf\xe9"\nexport A=1', 'latin1')],
  ['UTF-8', Buffer.from('alias x="café"\n')],
  ['CRLF', Buffer.from('a\r\nb\r\n')],
] as const)('a start-up file in %s keeps every byte', async ([, before]) => {
  writeFileSync(startup, before)
  expect((await command('install')).code).toBe(0)
  expect(readFileSync(startup).subarray(0, before.length)).toEqual(before)
  expect((await command('uninstall')).code).toBe(0)
  expect(readFileSync(startup).subarray(0, before.length)).toEqual(before)
})

test('a start-up file in UTF-16 is left as it is', async () => {
  const before = Buffer.from('\ufeff$x = 1\r\n', 'utf16le')
  writeFileSync(startup, before)
  const {code, stderr} = await command('install')
  expect([code, stderr]).toEqual([3, expect.stringContaining('Save it as UTF-8')])
  expect(readFileSync(startup)).toEqual(before)
})

test('a link to a file that is not there now stays a link', async () => {
  symlinkSync(join(home.folder, 'not-mounted', 'bashrc'), startup)
  expect((await command('install')).code).toBe(3)
  expect(lstatSync(startup).isSymbolicLink()).toBe(true)
})

test.skipIf(process.platform === 'win32')('a pipe or a device is refused at once', async () => {
  symlinkSync('/dev/zero', startup)
  expect((await command('install')).stderr).toContain('it is not a regular file')
  const pipe = await openHome()
  try {
    execFileSync('mkfifo', [join(pipe.folder, '.bashrc')])
    const {code, stderr} = await pipe.run(['completion', 'install', 'bash', '--yes'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('it is not a regular file')])
  } finally {
    await pipe.remove()
  }
})

test('the folder that it makes is for its user alone, so no later command warns of it', async () => {
  expect((await command('install')).code).toBe(0)
  expect(statSync(join(home.folder, '.config/cardctl')).mode & 0o777).toBe(0o700)
  expect((await home.run(['cards', 'get', '3001'])).stderr).not.toContain('can be used by others')
})

test('several installations leave one block and no other file', async () => {
  writeFileSync(startup, '# mine\n')
  await Promise.all([command('install'), command('uninstall'), command('install')])
  await command('install')
  expect(readFileSync(startup, 'utf8').match(/>>> cardctl completion >>>/g)).toHaveLength(1)
  expect(readdirSync(home.folder).filter(name => name.endsWith('.cardctl'))).toEqual([])
})

const [BEGIN, END] = ['# >>> cardctl completion >>>', '# <<< cardctl completion <<<']

test.for([
  ['two begin marks', `${BEGIN}\nexport MINE=1\n${BEGIN}\n. cardctl.bash\n${END}\n`],
  ['two begin marks in a row', `${BEGIN}\n${BEGIN}\n. cardctl.bash\n${END}\n`],
  ['a line of the user between the marks', `${BEGIN}\n. cardctl.bash\nexport MINE=1\n${END}\n`],
  ['only a line of the user between the marks', `${BEGIN}\nexport MINE=1\n${END}\n`],
  ['no end mark', `${BEGIN}\n. cardctl.bash\nexport MINE=1\n`],
  ['the marks in the wrong order', `${END}\nexport MINE=1\n${BEGIN}\n`],
] as const)('a start-up file with %s is left as it is', async ([, before]) => {
  writeFileSync(startup, before)
  for (const verb of ['install', 'uninstall'] as const)
    expect(await command(verb)).toMatchObject({code: 3, stderr: expect.stringContaining('marks of cardctl')})
  expect(readFileSync(startup, 'utf8')).toBe(before)
})

test('two whole blocks are both removed, and what is between them stays', async () => {
  await command('install')
  const block = readFileSync(startup, 'utf8')
  writeFileSync(startup, `a\n${block}export MINE=1\n${block}b\n`)
  expect((await command('uninstall')).code).toBe(0)
  expect(readFileSync(startup, 'utf8')).toBe('a\nexport MINE=1\nb\n')
})
