import {once} from 'node:events'
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {type Keyring, readReference} from '../../src/profiles/index.ts'
import {openSystemKeyring} from '../../src/profiles/keyring.ts'
import {splitCommand} from '../../src/profiles/reference.ts'
import {runSecretCommand} from '../../src/profiles/run-secret-command.ts'
import {openSecretFile, openSecrets} from '../../src/profiles/secrets.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {failureOf, home, noKeyring, workingKeyring} from './fixtures.ts'

const node = process.execPath
/** A command line that runs a script under Node, quoted for splitCommand. */
const script = (code: string): string => `cmd:"${node.replaceAll('\\', '\\\\')}" -e '${code}'`

describe('a reference', () => {
  it.each(['plain', 'with line end\n', 'with line end\r\n'])('to a file gives its text: %j', async text => {
    using user = home()
    writeFileSync(join(user.path, 'secret'), text, {mode: 0o600})
    for (const reference of ['file:secret', 'file:~/secret', `file:${join(user.path, 'secret')}`]) {
      const secret = await readReference(reference, 'the secret', user.surroundings)
      expect(secret.open()).toBe(text.trimEnd())
    }
    expect(user.notices).toEqual([])
  })

  it('keeps all but one line end', async () => {
    using user = home()
    writeFileSync(join(user.path, 'secret'), ' a\nb \n\n', {mode: 0o600})
    expect((await readReference('file:secret', 'the secret', user.surroundings)).open()).toBe(' a\nb \n')
  })

  it.skipIf(process.platform === 'win32')('to a file that others can read is reported', async () => {
    using user = home()
    writeFileSync(join(user.path, 'secret'), 'x')
    chmodSync(join(user.path, 'secret'), 0o644)
    await readReference('file:secret', 'the secret', user.surroundings)
    expect(user.notices).toMatchObject([{code: 'LOOSE_MODE', path: join(user.path, 'secret')}])
  })

  it('to a variable gives its value', async () => {
    using user = home()
    const surroundings = {...user.surroundings, env: {API_TOKEN: 'hunter2\n'}}
    expect((await readReference('env:API_TOKEN', 'the token', surroundings)).open()).toBe('hunter2')
  })

  it('to a command gives what it prints, without any shell between', async () => {
    using user = home()
    const echo = script('console.log(process.argv.slice(1).join("|"))')
    const secret = await readReference(`${echo} "a b" $HOME ';' \\* ''`, 'the secret', user.surroundings)
    expect(secret.open()).toBe('a b|$HOME|;|*|')
  })

  it('to a command passes the surroundings on, but not our own token', async () => {
    using user = home()
    const surroundings = {...user.surroundings, env: {A: '1', CARDCTL_TOKEN: 'hunter2'}}
    const code = 'console.log(process.env.A, process.env.CARDCTL_TOKEN)'
    expect((await readReference(script(code), 'the secret', surroundings)).open()).toBe('1 undefined')
  })

  const command = (code: string): [string, string] => [code, script(code)]
  it.each([
    ['a variable that is not set', 'env:NOT_SET', 'not set'],
    ['a file that is not there', 'file:nowhere', 'does not exist'],
    ['a folder', 'file:.', 'folder'],
    ['an empty file', 'file:empty', 'empty'],
    ['a file that is no text', 'file:binary', 'not text'],
    ['a huge file', 'file:huge', 'longer than'],
    ['a command that is not there', 'cmd:/nowhere/command hunter2', 'cannot be started'],
    [...command('console.log("hunter2"); console.error("hunter2"); process.exit(3)'), 'exit code 3'],
    [...command('process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 1e5)'), 'SIGTERM'],
    [...command('process.stdout.write("hunter2".repeat(20000))'), 'more than'],
    [...command(''), 'empty'],
  ])('to %s says so, names whose secret it is, and repeats nothing', async (_, reference, reason) => {
    using user = home()
    writeFileSync(join(user.path, 'empty'), '\n', {mode: 0o600})
    writeFileSync(join(user.path, 'binary'), Buffer.from([0xff, 0xfe, 0x68]), {mode: 0o600})
    writeFileSync(join(user.path, 'huge'), 'x'.repeat(70_000), {mode: 0o600})
    const failure = await failureOf(() => readReference(reference, 'the password', user.surroundings))
    expect(failure).toMatchObject({code: 'SECRET_MISSING', exit: 3})
    expect(failure.message).toContain('The password cannot be read from')
    expect(failure.message).toContain(reason)
    expect(failure.message).not.toContain('hunter2')
  })

  it('to a command that fails tells the end of its stderr, without what looks like a secret', async () => {
    using user = home()
    const said = async (code: string) =>
      (await failureOf(() => readReference(script(code), 'the password', user.surroundings))).message
    const lines =
      'console.error("first"); console.error("\\x1b[31mvault is sealed\\x1b[0m, ask the owner"); process.exit(2)'
    expect(await said(lines)).toMatch(
      /: it ended with exit code 2; it said: vault is sealed, ask the owner\.$/,
    )
    const secret = 'console.error("denied for s.Ab12Cd34Ef56 and 4111111111111111"); process.exit(2)'
    expect(await said(secret)).toMatch(/denied for s\.\[masked\] and \[masked\]\.$/)
    const long = 'console.error("x y ".repeat(5000)); process.exit(2)'
    expect((await said(long)).length).toBeLessThan(400)
  })

  it('to a command that hangs ends with the time limit, though it ignores signals', async () => {
    const words = [
      node,
      '-e',
      'process.on("SIGTERM", () => {}); console.log("hunter2"); setInterval(() => {}, 1e5)',
    ]
    expect(await runSecretCommand(words, childEnvironment({}, []), undefined, 50)).toEqual({
      problem: expect.stringContaining('did not end'),
    })
  })
})

describe('a command line', () => {
  it('returns the words that were quoted into it', () => {
    const word = fc.string({unit: 'grapheme', maxLength: 12})
    const quotes = [
      (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`,
      (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`,
    ]
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom(...quotes)), {minLength: 1}), words => {
        const line = words.map(([text, quote]) => quote(text)).join(' ')
        expect(splitCommand(line)).toEqual(words.map(([text]) => text))
      }),
      {numRuns: 200},
    )
  })

  it.each([
    ['a  b\tc', ['a', 'b', 'c']],
    ['  a  ', ['a']],
    ['a"b c"d', ['ab cd']],
    ['a\\ b', ['a b']],
    ['"a\\b"', ['a\\b']],
    ['', []],
    ["'a", undefined],
    ['"a', undefined],
    ['a\\', undefined],
  ])('%j is %j', (line, words) => {
    expect(splitCommand(line)).toEqual(words)
  })
})

describe('a keyring', () => {
  const store = async (keyring: Keyring | (() => Promise<Keyring>)) => {
    using user = home()
    const openKeyring = typeof keyring === 'function' ? keyring : async () => keyring
    const secrets = openSecrets(user.secretFile, {...user.surroundings, openKeyring})
    return {
      reference: await secrets.store('one/x', new Secret('hunter2')),
      codes: user.notices.map(({code}) => code),
    }
  }

  it('that works is used', async () => {
    expect(await store(workingKeyring())).toEqual({
      reference: {source: 'keyring', locator: 'one/x'},
      codes: [],
    })
  })

  const inFile = {reference: {source: 'secretfile', locator: 'one/x'}, codes: ['SECRET_IN_FILE']}
  const refuse = () => Promise.reject(new Error('locked'))

  it('that is not there, is locked, or forgets at once gives way to the file', async () => {
    expect(await store(noKeyring)).toEqual(inFile)
    expect(await store({get: refuse, set: refuse, delete: refuse})).toEqual(inFile)
    const forgetful = {...workingKeyring(), get: async () => undefined}
    expect(await store(forgetful)).toEqual(inFile)
    expect(forgetful.entries.size).toBe(0)
    expect(await store({...workingKeyring(), get: async () => new Secret('other')})).toEqual(inFile)
  })

  it('that is empty or unreadable is reported', async () => {
    using user = home()
    for (const [keyring, reason] of [
      [workingKeyring(), 'holds nothing'],
      [{get: refuse, set: refuse, delete: refuse}, 'locked'],
    ] as const) {
      const secrets = openSecrets(user.secretFile, {...user.surroundings, openKeyring: async () => keyring})
      const failure = await failureOf(() => secrets.read({source: 'keyring', locator: 'one/x'}, 'the token'))
      expect(failure).toMatchObject({code: 'SECRET_MISSING'})
      expect(failure.message).toContain(reason)
    }
  })

  const onLinux = it.skipIf(process.platform !== 'linux')
  const bus = (address: string) => childEnvironment({...process.env, DBUS_SESSION_BUS_ADDRESS: address}, [])

  onLinux('of a system without a message bus gives way to the file', async () => {
    using user = home()
    const keyring = await openSystemKeyring('linux', bus(`unix:path=${join(user.path, 'nowhere')}`))
    expect(await store(keyring)).toEqual(inFile)
  })

  onLinux('behind a bus that never answers gives way to the file, and nothing hangs', async () => {
    using user = home()
    const path = join(user.path, 'bus')
    const server = createServer()
    server.listen(path)
    await once(server, 'listening')
    try {
      expect(await store(await openSystemKeyring('linux', bus(`unix:path=${path}`)))).toEqual(inFile)
    } finally {
      server.close()
    }
  })
})

describe('the file for secrets', () => {
  it("gives back what was stored, members that aren't known too", async () => {
    using user = home()
    mkdirSync(dirname(user.secretFile), {mode: 0o700})
    writeFileSync(user.secretFile, '{"schema":1,"later":[1],"secrets":{"a":"1"}}', {mode: 0o600})
    const file = openSecretFile(user.secretFile, user.surroundings)
    await file.set('b', new Secret('2'))
    await file.delete('a')
    await file.delete('c')
    expect((await file.get('b'))?.open()).toBe('2')
    expect(await file.get('a')).toBeUndefined()
    expect(await file.get('toString')).toBeUndefined()
    expect(JSON.parse(readFileSync(user.secretFile, 'utf8'))).toEqual({
      schema: 1,
      later: [1],
      secrets: {b: '2'},
    })
  })

  it.each(['', '{', '[]', '{"schema":2,"secrets":{}}', '{"schema":1,"secrets":"hunter2"}', '{"hunter2'])(
    'that is damaged (%j) is refused by name and kept',
    async text => {
      using user = home()
      mkdirSync(dirname(user.secretFile), {mode: 0o700})
      writeFileSync(user.secretFile, text, {mode: 0o600})
      const file = openSecretFile(user.secretFile, user.surroundings)
      for (const call of [
        () => file.get('a'),
        () => file.set('a', new Secret('b')),
        () => file.delete('a'),
      ]) {
        const failure = await failureOf(call)
        expect(failure).toMatchObject({code: 'CONFIG_DAMAGED', exit: 3})
        expect(failure.message).toContain(user.secretFile)
        expect(failure.message).not.toContain('hunter2')
      }
      expect(readFileSync(user.secretFile, 'utf8')).toBe(text)
    },
  )
})
