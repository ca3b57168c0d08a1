// Who owns the configuration decides where requests go and which programs are run for secrets.
import {chownSync, globSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {expect, it, onTestFinished} from 'vitest'
import {openHome} from '../helpers/cli.ts'

const NOBODY = 65534

it.runIf(process.getuid?.() === 0)('of another user is refused', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const add = 'profiles add mine --kind test --base-url https://service.invalid --profile-audit-user u'
  expect((await home.run(add.split(' '))).code).toBe(0)
  expect((await home.run(['profiles', 'show', 'mine'])).code).toBe(0)
  const file = join(home.folder, '.config/cardctl/profiles.json')
  chownSync(file, NOBODY, NOBODY)
  for (const line of ['profiles show mine', 'profiles list', 'cards get 3001 -p mine']) {
    const {code, stdout, stderr} = await home.run(line.split(' '))
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(`it belongs to another user (${NOBODY})`)
  }
  chownSync(file, 0, 0)
  expect((await home.run(['profiles', 'show', 'mine'])).code).toBe(0)
})

it.runIf(process.getuid?.() === 0)('folders of another user are refused', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
  const add = 'profiles add mine --kind test --base-url https://service.invalid --profile-audit-user u'
  expect((await home.run(add.split(' '))).code).toBe(0)
  expect((await home.run(patch)).code).toBe(0)
  for (const [folder, argv] of [
    ['.config/cardctl', ['profiles', 'show', 'mine']],
    ['.local/share/cardctl', patch],
    ['.local/share/cardctl', ['audit', 'verify']],
  ] as const) {
    chownSync(join(home.folder, folder), NOBODY, NOBODY)
    const {code, stderr} = await home.run(argv)
    expect([code, stderr]).toEqual([3, expect.stringContaining(`belongs to another user (${NOBODY})`)])
    chownSync(join(home.folder, folder), 0, 0)
    expect((await home.run(argv)).code).toBe(0)
  }
})

it.runIf(process.getuid?.() === 0)('files of another user below the data folder are refused', async () => {
  const home = await openHome()
  onTestFinished(() => home.remove())
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
  expect((await home.run(patch)).code).toBe(0)
  const events = ['webhook', 'events', 'list']
  expect((await home.run(events)).code).toBe(0)
  const data = join(home.folder, '.local/share/cardctl')
  const files = globSync('**', {cwd: data, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    // Of another user, the clock's file and the notes beside the journals are only not believed.
    .filter(file => !/-(?:wal|shm)$|\.json$/.test(file))
  expect(files.length).toBeGreaterThan(5)
  const again = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6001']
  for (const file of files) {
    chownSync(file, NOBODY, NOBODY)
    const {code, stderr} = await home.run(file.includes('webhook') ? events : again)
    expect([file, code, stderr]).toEqual([
      file,
      3,
      expect.stringMatching(/ (?:read|used): it belongs to another user \(65534\)/),
    ])
    chownSync(file, 0, 0)
  }
  expect((await home.run(again)).code).toBe(0)
})
