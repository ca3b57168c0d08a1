// Completion in real shells: somebody presses Tab, and only what was typed and offered appears. Needs a build.
import {execFileSync, spawnSync} from 'node:child_process'
import {chmodSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {BINARY, emptyHome, plainEnv, quoted, run} from '../helpers/binary.ts'
import {openHome} from '../helpers/cli.ts'
import {hasPseudoTerminal, openPseudoTerminal} from '../helpers/pseudo-terminal.ts'
import {isWhole, part} from '../helpers/whole.ts'

/** Without a shell its tests are skipped; where CI runs, that is an error. */
function has(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit 0'], {stdio: 'ignore'})
    return true
  } catch {
    if (process.env.CI) throw new Error(`${shell} is needed under CI`)
    return false
  }
}
const [hasZsh, hasFish] = [has('zsh'), has('fish')]

let home: string
let bin: string
beforeAll(async () => {
  // Ids come from the journal of this home.
  const made = await openHome()
  home = made.folder
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=7000']
  expect((await made.run(patch)).code).toBe(0)
  bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'cardctl'), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(BINARY)} "$@"\n`)
  chmodSync(join(bin, 'cardctl'), 0o755)
  for (const name of ['rows.csv', 'rows two.csv']) writeFileSync(join(home, name), '')
  mkdirSync(join(home, 'state'))
  return () => made.remove()
})

const env = (more = {}) => ({
  ...plainEnv(home),
  PATH: `${bin}:${process.env.PATH}`,
  CARDCTL_PROFILE: 'sandbox',
  TERM: 'vt100',
  ...more,
})

/** The script for a shell, made once. */
const script = (shell: string): string => {
  const file = join(home, `cardctl.${shell}`)
  if (existsSync(file)) return file
  writeFileSync(file, execFileSync(join(bin, 'cardctl'), ['completion', shell], {env: env()}))
  return file
}

/** What is typed, and what stands in the line after Tab. `@` marks where Tab is pressed, at the end. */
const LINES: readonly (readonly [typed: string, line: string])[] = [
  ['cardctl car', 'cardctl cards '],
  ['cardctl sandbox sta', 'cardctl sandbox state '],
  ['cardctl accounts patch ', 'cardctl accounts patch 2001 '],
  ['cardctl accounts patch 2001 --cred', 'cardctl accounts patch 2001 --credit-limit '],
  ['cardctl cards list -o nd', 'cardctl cards list -o ndjson '],
  ['cardctl cards list --output=nd', 'cardctl cards list --output=ndjson '],
  ['cardctl requests list --resource account:', 'cardctl requests list --resource account:2001 '],
  ['cardctl whoami -p sand', 'cardctl whoami -p sandbox '],
  ['cardctl profiles add x --secret en', 'cardctl profiles add x --secret env:'],
  ['cardctl bulk run --from rows.', 'cardctl bulk run --from rows.csv '],
  ['cardctl accounts patch 2001 --data @rows.', 'cardctl accounts patch 2001 --data @rows.csv'],
  ['cardctl sandbox serve --data st', 'cardctl sandbox serve --data state/'],
]

/** Types a line and Tab on a real terminal, then has the shell print the line instead of running it. */
async function typed(shell: readonly string[], setUp: string, line: string): Promise<string> {
  const terminal = openPseudoTerminal(shell, {cwd: home, env: env({PS1: '> '})})
  onTestFinished(() => terminal.kill())
  terminal.type(`${setUp}; echo rea''dy\r`)
  await terminal.shows('ready')
  terminal.type(`${line}\t`)
  // The widget bound to Ctrl-X p shows the line as it is now. It runs after Tab has done its work.
  terminal.type('\u0018p')
  await terminal.shows(/<<<.*>>>/s)
  return /<<<(.*?)>>>/s.exec(terminal.output())?.[1] ?? ''
}

const BASH_SHOW = `show() { printf '<%s%s%s>' '<<' "$READLINE_LINE" '>>'; }; bind -x '"\\C-xp": show'`
const ZSH_SHOW = `show() { printf '<%s%s%s>' '<<' "$BUFFER" '>>' }; zle -N show; bindkey '^Xp' show`

describe.skipIf(!hasPseudoTerminal)('bash', () => {
  test.each(part(LINES, 5))('%s', async (line, completed) => {
    const setUp = `source ${quoted(script('bash'))}; ${BASH_SHOW}`
    expect(await typed(['bash', '--norc', '-i'], setUp, line)).toBe(completed)
  })

  test('the function is registered for cardctl alone', () => {
    const {stdout} = spawnSync('bash', ['--norc', '-c', `source ${quoted(script('bash'))}; complete -p`], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('complete -F _cardctl cardctl\n')
  })

  test('a word is never evaluated', async () => {
    const setUp = `source ${quoted(script('bash'))}; ${BASH_SHOW}`
    await typed(['bash', '--norc', '-i'], setUp, 'cardctl cards get $(touch evil) `touch evil` ')
    expect(existsSync(join(home, 'evil'))).toBe(false)
  })
})

describe.skipIf(!hasPseudoTerminal || !hasZsh)('zsh', () => {
  test.each(part(LINES, 5))('%s', async (line, completed) => {
    const setUp = `source ${quoted(script('zsh'))}; ${ZSH_SHOW}`
    // zsh takes the space after a word away again if a separator follows, and shows it as it is otherwise.
    expect((await typed(['zsh', '-f', '-i'], setUp, line)).trimEnd()).toBe(completed.trimEnd())
  })

  test('a word is never evaluated', async () => {
    const setUp = `source ${quoted(script('zsh'))}; ${ZSH_SHOW}`
    await typed(['zsh', '-f', '-i'], setUp, 'cardctl cards get $(touch evil) `touch evil` ')
    expect(existsSync(join(home, 'evil'))).toBe(false)
  })
})

describe.skipIf(!hasFish)('fish', () => {
  const complete = (line: string): string[] => {
    const text = `source ${quoted(script('fish'))}; complete -C ${quoted(line)}`
    const {stdout, stderr} = spawnSync('fish', ['-N', '-c', text], {cwd: home, env: env(), encoding: 'utf8'})
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  test.each(part(LINES, 4))('%s', (line, completed) => {
    const last = completed.trimEnd().split(' ').at(-1)
    expect(complete(line).map(each => each.split('\t')[0])).toContain(last)
  })

  test('commands come with their descriptions, and names of files are not offered for ids', () => {
    expect(complete('cardctl car')).toEqual(['cards\tLook up cards, their plastics and their payment data'])
    expect(complete('cardctl accounts patch ')).toEqual(['2001'])
  })

  test('a word is never evaluated', () => {
    complete('cardctl cards get (touch evil) $(touch evil) ')
    expect(existsSync(join(home, 'evil'))).toBe(false)
  })
})

describe('cardctl __complete', () => {
  const complete = (folder: string, ...words: string[]) =>
    run(folder, ['__complete'], {
      stdin: words.map(word => `${word}\0`).join(''),
      env: {CARDCTL_CACHE_DIR: join(folder, 'cache')},
    })

  test('creates no file, not even a cache', async () => {
    const folder = await emptyHome()
    const {code, stdout, stderr} = await complete(folder, 'accounts', 'patch', '')
    expect({code, stdout, stderr}).toEqual({code: 0, stdout: 'values\n', stderr: ''})
    expect(globSync('**/*', {cwd: folder})).toEqual([])
    expect(existsSync(join(folder, '.local')) || existsSync(join(folder, '.cache'))).toBe(false)
  })

  test('is silent about anything wrong with the journal', async () => {
    const folder = await emptyHome()
    mkdirSync(join(folder, '.local/share/cardctl/journal'), {recursive: true})
    writeFileSync(join(folder, '.local/share/cardctl/journal/sandbox.db'), 'no database')
    expect(await complete(folder, 'requests', 'show', '')).toMatchObject({
      code: 0,
      stdout: 'values\n',
      stderr: '',
    })
  })

  test('what is typed is in no command line, where other processes could read it', () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect(readFileSync(script(shell), 'utf8')).toMatch(/\| (command )?cardctl __complete 2>/)
  })
})

test('the PowerShell script hands the words over ended by zero bytes', () => {
  const text = readFileSync(script('powershell'), 'utf8')
  expect(text).toContain('Register-ArgumentCompleter -Native -CommandName cardctl')
  expect(text).toContain('"$_`0"')
  // Balanced, as far as text can tell.
  for (const [open = '', close = ''] of ['{}', '()', '[]'].map(pair => [...pair]))
    expect(text.split(open).length, open).toBe(text.split(close).length)
})

describe('completion install', () => {
  const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

  const files = (folder: string): Record<string, string> =>
    Object.fromEntries(
      globSync('{.bashrc,.zshrc,.config/**/*}', {cwd: folder, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => [
          join(entry.parentPath, entry.name),
          readFileSync(join(entry.parentPath, entry.name), 'utf8'),
        ]),
    )

  test.each(shells)(
    '%s: writes what it names, once more changes nothing, uninstall restores',
    async shell => {
      const made = await openHome()
      onTestFinished(() => made.remove())
      writeFileSync(join(made.folder, '.bashrc'), 'alias ll="ls -l"')
      writeFileSync(join(made.folder, '.zshrc'), 'setopt autocd\n')
      const before = files(made.folder)
      const first = await made.json<{script: string; startup?: string; changed: boolean}>([
        'completion',
        'install',
        shell,
        '--yes',
      ])
      expect(first.changed).toBe(true)
      const after = files(made.folder)
      expect(after[first.script]).toBe((await made.run(['completion', shell])).stdout)
      if (first.startup) expect(after[first.startup]).toContain(first.script)
      expect(await made.json(['completion', 'install', shell, '--yes'])).toMatchObject({changed: false})
      expect(files(made.folder)).toEqual(after)
      expect(await made.json(['completion', 'uninstall', shell, '--yes'])).toMatchObject({changed: true})
      const left = files(made.folder)
      for (const [file, text] of Object.entries(before)) expect(left[file]?.trimEnd()).toBe(text.trimEnd())
      expect(left[first.script]).toBeUndefined()
      expect(await made.json(['completion', 'uninstall', shell, '--yes'])).toMatchObject({changed: false})
    },
  )

  test('asks, and changes nothing after a no or without a terminal', async () => {
    const made = await openHome()
    onTestFinished(() => made.remove())
    const env = {SHELL: '/usr/bin/zsh'}
    const silent = await made.run(['completion', 'install'], {env})
    expect([silent.code, files(made.folder)]).toEqual([2, {}])
    const no = await made.run(['completion', 'install'], {
      env,
      columns: 80,
      typed: [['Write these files?', 'n']],
    })
    expect(no.stderr).toContain('.zshrc')
    expect([no.code, files(made.folder)]).toEqual([2, {}])
    const yes = await made.run(['completion', 'install'], {
      env,
      columns: 80,
      typed: [['Write these files?', 'y']],
    })
    expect(yes.code).toBe(0)
    expect(yes.stdout).toContain('To remove it: cardctl completion uninstall')
  })

  test('a start-up file that is a link stays one, with its mode', async () => {
    const made = await openHome()
    onTestFinished(() => made.remove())
    const target = join(made.folder, 'dotfiles-bashrc')
    writeFileSync(target, '# mine\n', {mode: 0o640})
    symlinkSync(target, join(made.folder, '.bashrc'))
    await made.run(['completion', 'install', 'bash', '--yes'])
    const {lstatSync, statSync} = await import('node:fs')
    expect(lstatSync(join(made.folder, '.bashrc')).isSymbolicLink()).toBe(true)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(readFileSync(target, 'utf8')).toMatch(/^# mine\n# >>> cardctl completion >>>\n/)
  })

  test('half a block is left to its owner', async () => {
    const made = await openHome()
    onTestFinished(() => made.remove())
    const text = '# >>> cardctl completion >>>\nmine\n'
    writeFileSync(join(made.folder, '.bashrc'), text)
    const {code, stderr} = await made.run(['completion', 'install', 'bash', '--yes'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('CONFIG_DAMAGED')])
    expect(readFileSync(join(made.folder, '.bashrc'), 'utf8')).toBe(text)
  })

  test('an unknown shell has to be named', async () => {
    const made = await openHome()
    onTestFinished(() => made.remove())
    const {code, stderr} = await made.run(['completion', 'install', '--yes'], {env: {SHELL: '/bin/tcsh'}})
    expect([code, stderr]).toEqual([2, expect.stringContaining('Pass one of bash, zsh, fish, powershell.')])
  })
})

test.runIf(isWhole && (hasFish || hasZsh))('an installed script works in a new shell', async () => {
  const made = await openHome()
  onTestFinished(() => made.remove())
  for (const shell of ['zsh', 'fish']) await made.run(['completion', 'install', shell, '--yes'])
  const there = {...env(), HOME: made.folder, ZDOTDIR: made.folder}
  const fish = hasFish
    ? execFileSync('fish', ['-c', "complete -C 'cardctl car'"], {env: there, encoding: 'utf8'})
    : 'cards\t'
  expect(fish).toMatch(/^cards\t/)
  const zsh = hasZsh
    ? execFileSync('zsh', ['-i', '-c', 'echo $_comps[cardctl]'], {env: there, encoding: 'utf8'})
    : '_cardctl'
  expect(zsh).toContain('_cardctl')
})
