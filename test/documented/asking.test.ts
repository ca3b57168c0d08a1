// What docs/support.md and docs/installation.md promise, and the pages of help.
import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {describe, expect, test} from 'vitest'
import type {Home, RunOptions} from '../helpers/cli.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const PAN = '4111111111111111'

describe('guided use', () => {
  const at = (typed: RunOptions['typed'], more: RunOptions = {}) =>
    ({columns: 80, typed, ...more}) as RunOptions

  test.each([
    ['Ctrl-C', CTRL_C, 130],
    ['Ctrl-D', CTRL_D, 2],
  ])('%s before the last answer sends and records nothing', async (_, key, code) => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const argv = ['accounts', 'limit', '-i', '--type', 'credit', '-p', 'staging']
    expect((await home.run(argv, at([['Id of the account', key]]))).code).toBe(code)
    const values = ['2001', '6000', ...argv.slice(2)]
    const late = [['What else?', ''] as const, ['Continue?', key] as const]
    expect((await home.run(['accounts', 'limit', ...values], at(late))).code).toBe(code)
    expect(writesOf(service)).toEqual([])
    expect(await home.json(['requests', 'list', '-p', 'staging'])).toEqual([])
    expect(await home.json(['audit', 'list'])).toMatchObject([{operation: 'profiles.add'}])
  })

  test('a card number has a hidden prompt, and is in no line that is printed', async () => {
    const home = await newHome()
    const seen = await home.run(['find', '--card-number'], at([['umber', PAN]]))
    expect(seen.code).toBe(0)
    expect(seen.stdout).toContain('3001')
    expect(seen.stdout + seen.stderr).not.toContain(PAN)
  })

  test.each([
    [['cards', 'get'], /id|--/i],
    [['cards', 'list'], /--customer|--account/],
    [['accounts', 'limit', '2001'], /AMOUNT/],
    [['a2a', 'create'], /--transfer|--from/],
    [['pin', 'set'], /CARD|--control-id/i],
  ])(
    '%j without a terminal, and with --no-input at one, is an error that names what is missing',
    async (argv, names) => {
      const [home, service] = [await newHome(), await newService()]
      await addProfile(home, 'staging', 'test', service.url)
      const asked: RunOptions[] = [{}, at([]), at([], {env: {CARDCTL_NO_INPUT: '1'}})]
      for (const options of asked) {
        const flags = options.typed && !options.env ? ['--no-input'] : []
        const seen = await home.run([...argv, ...flags, '-p', 'staging'], options)
        expect(seen.code).toBe(2)
        expect(seen.stderr).toMatch(names)
      }
      expect(service.requests).toEqual([])
    },
  )

  test('-i without a terminal is an error, and sends nothing', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const seen = await home.run(['accounts', 'limit', '2001', '5', '--type', 'credit', '-i', '-p', 'staging'])
    expect([seen.code, service.requests]).toEqual([2, []])
  })
})

describe('help', () => {
  test.each([
    ['acounts block 2001', 'accounts block'],
    ['accounts bloc 2001', 'accounts block'],
    ['card get 3001', 'cards'],
    ['cards gett 3001', 'cards get'],
  ])('%s sends nothing and names %s', async (line, command) => {
    const home = await newHome()
    const seen = await home.run(line.split(' '))
    expect(seen.code).toBe(2)
    expect(seen.stderr).toContain(command)
  })

  test('finds commands by words, best first, and nothing for no word', async () => {
    const home = await newHome()
    const search = (words: string) => home.json<{name: string}[]>(['help', '--search', words])
    expect((await search('unblock')).slice(0, 2).map(({name}) => name)).toEqual([
      'accounts unblock',
      'pin unblock',
    ])
    expect((await search('credit limit'))[0]?.name).toBe('accounts limit')
    expect((await search('CREDIT  Limit'))[0]?.name).toBe('accounts limit')
    const nothing = await home.run(['help', '--search', 'xyzzy', '-o', 'json'])
    expect([nothing.code, errorCode(nothing)]).toEqual([2, 'USAGE'])
    expect((await home.run(['help', '--search', ''])).code).toBe(2)
  })
})

describe('completion', () => {
  const files = ({folder}: Home) => ({
    script: join(folder, '.config', 'cardctl', 'completion', 'cardctl.bash'),
    rc: join(folder, '.bashrc'),
  })

  test('install writes one block, uninstall leaves the file as it was', async () => {
    const home = await newHome()
    const {rc, script} = files(home)
    await writeFile(rc, 'alias x=y # no line end', {mode: 0o640})
    for (let n = 0; n < 2; n++)
      expect((await home.run(['completion', 'install', 'bash', '--yes'])).code).toBe(0)
    const text = readFileSync(rc, 'utf8')
    expect(text.split('cardctl.bash').length).toBeLessThan(4)
    expect((await stat(rc)).mode & 0o777).toBe(0o640)
    expect(existsSync(script)).toBe(true)
    expect((await home.run(['completion', 'uninstall', 'bash', '--yes'])).code).toBe(0)
    expect(readFileSync(rc, 'utf8').trimEnd()).toBe('alias x=y # no line end')
    expect(existsSync(script)).toBe(false)
  })

  test('without a terminal install names the files and changes none', async () => {
    const home = await newHome()
    const {rc, script} = files(home)
    const seen = await home.run(['completion', 'install', 'bash'])
    expect(seen.code).toBe(2)
    for (const file of [rc, script]) {
      expect(seen.stderr).toContain(file)
      expect(existsSync(file)).toBe(false)
    }
  })

  test('offers what a write touched, and never a secret; it runs nothing and creates no file', async () => {
    const home = await newHome()
    await home.run(['accounts', 'block', '2001', '--type', 'credit'])
    await home.run(['pin', 'set', '3001', '--yes'], {stdin: '8253\n'})
    const complete = (folder: string, ...words: string[]) =>
      spawnSync(
        process.execPath,
        ['-e', "import('./src/cli/completion/start.ts').then(({start}) => start())"],
        {
          input: words.map(word => `${word}\0`).join(''),
          env: {...process.env, HOME: folder, CARDCTL_PROFILE: 'sandbox'},
          encoding: 'utf8',
        },
      )
    expect(complete(home.folder, 'accounts', 'block', '').stdout).toContain('2001')
    const secret = complete(home.folder, 'profiles', 'add', 'x', '--secret', '')
    for (const kind of ['env:', 'file:', 'cmd:']) expect(secret.stdout).toContain(kind)
    const empty = await newHome()
    const file = join(empty.folder, 'pwned')
    const odd = complete(empty.folder, 'cards', 'get', `$(touch ${file})`, '')
    expect([odd.status, odd.stderr, existsSync(file), existsSync(join(empty.folder, '.local'))]).toEqual([
      0,
      '',
      false,
      false,
    ])
    expect(complete(home.folder, 'cards', 'get', '').stdout).not.toMatch(/8253|4111111111111111/)
  })
})
