import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {Encrypter, generateX25519Identity, identityToRecipient} from 'age-encryption'
import {afterEach, beforeEach, describe, expect, it, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'

const DATA = '.local/share/cardctl'
const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)

let home: Home
let other: Home
let file: string
let keys: string
beforeEach(async () => {
  home = await openHome()
  other = await openHome()
  file = join(home.folder, 'data.age')
  keys = join(home.folder, 'key.txt')
  writeFileSync(keys, `# made for a test\n${identity}\n`)
})
afterEach(() => Promise.all([home.remove(), other.remove()]))

const change = (at: Home, limit: number) =>
  at.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`])
/** Fingerprints of the machines that exported a file. */
const signers = new Map<string, string>()
const exportAt = async (at: Home, to: string, ...more: string[]) => {
  const result = await at.run([
    'data',
    'export',
    to,
    '--recipient',
    recipient,
    '--yes',
    '-o',
    'json',
    ...more,
  ])
  if (result.code === 0) signers.set(to, JSON.parse(result.stdout).signedBy)
  return result
}
const importAt = (at: Home, from: string, ...more: string[]) => {
  const signer = signers.get(from)
  const trust = signer === undefined ? [] : ['--trust', signer]
  return at.run(['data', 'import', from, '--identity', keys, '--yes', ...trust, ...more])
}
const requestsAt = (at: Home) => at.json<{id: string; state: string}[]>(['requests', 'list'])

/** Every file of the data folder and its size. */
const filesOf = (at: Home): string[] => {
  try {
    return readdirSync(join(at.folder, DATA), {recursive: true, withFileTypes: true})
      .filter(each => each.isFile())
      .map(each => `${join(each.parentPath, each.name)} ${statSync(join(each.parentPath, each.name)).size}`)
      .sort()
  } catch {
    return []
  }
}

describe('a backup', () => {
  it('is read on another machine, where nothing is sent unless it takes over', async () => {
    await change(home, 6000)
    expect((await exportAt(home, file)).code).toBe(0)
    expect((await change(home, 6001)).code).toBe(0)
    expect((await importAt(other, file)).code).toBe(0)
    expect(await requestsAt(other)).toEqual((await requestsAt(home)).slice(1))
    expect((await other.run(['audit', 'verify'])).code).toBe(0)
    const {code, stderr} = await change(other, 6002)
    expect([code, stderr]).toEqual([3, expect.stringContaining('JOURNAL_MOVED')])
    expect((await importAt(other, file, '--take-over')).code).toBe(0)
    expect((await change(other, 6002)).code).toBe(0)
    expect((await other.run(['audit', 'verify'])).code).toBe(0)
  })

  it('is erased where nothing is sent, and does not come back', async () => {
    await change(home, 6000)
    await exportAt(home, file)
    await importAt(other, file)
    for (const more of [['--dry-run'], ['--local', '--yes'], ['--yes']])
      expect((await other.run(['data', 'erase', '--account', '2001', ...more])).code).toBe(0)
    expect(await other.json(['requests', 'list', '--resource', '2001'])).toEqual([])
    expect((await importAt(other, file)).code).toBe(0)
    expect(await other.json(['requests', 'list', '--resource', '2001'])).toEqual([])
  })

  it('brings back what was lost, and overwrites nothing', async () => {
    await change(home, 6000)
    await exportAt(home, file)
    await change(home, 6001)
    const before = await requestsAt(home)
    const db = new DatabaseSync(join(home.folder, DATA, 'journal/sandbox.db'))
    db.exec(`DELETE FROM request WHERE id = '${before[1]?.id}'`)
    db.exec(`UPDATE request SET note = 'newer'`)
    db.close()
    expect(await home.json(['data', 'import', file, '--identity', keys])).toMatchObject({
      journals: [{result: 'merged', sends: true}],
      audit: 'known',
    })
    expect((await requestsAt(home)).map(({id}) => id)).toEqual(before.map(({id}) => id))
    expect(await home.json(['requests', 'show', before[0]?.id ?? ''])).toMatchObject({note: 'newer'})
  })

  it('leaves out the audit trail if told so', async () => {
    await change(home, 6000)
    await exportAt(home, file, '--without-audit')
    await change(other, 6000)
    rmSync(join(other.folder, DATA, 'journal'), {recursive: true})
    const {stdout} = await importAt(other, file, '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      journals: [{result: 'imported'}],
      audit: 'left out',
    })
    expect((await other.run(['audit', 'verify'])).code).toBe(0)
  })
})

describe('a move', () => {
  it('lets requests and bulk jobs continue on one machine only, and back again', async () => {
    await change(home, 6000)
    const bulk = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes']
    await home.run([...bulk, '--max-failures', '1'], {stdin: 'id,name\n9,A\n2001,B\n2001,C\n'})
    const [job] = await home.json<{job: string; state: string}[]>(['bulk', 'list'])
    expect(job?.state).toBe('stopped')
    const db = new DatabaseSync(join(home.folder, DATA, 'journal/sandbox.db'))
    db.exec(`UPDATE request SET outcome = 'unknown' WHERE outcome = 'done' AND job IS NULL`)
    db.close()
    const open = (await requestsAt(home)).find(({state}) => state === 'unknown')?.id ?? ''
    expect((await exportAt(home, file, '--move')).code).toBe(0)
    for (const line of [
      ['bulk', 'resume', job?.job ?? '', '--yes'],
      ['requests', 'resolve', open],
      ['requests', 'resolve', open, '--found', 'no-effect', '--because', 'asked', '--yes'],
      ['requests', 'retry', open, '--yes'],
    ]) {
      const {code, stderr} = await home.run(line)
      expect([line.join(' '), code, stderr]).toEqual([
        line.join(' '),
        3,
        expect.stringContaining('JOURNAL_MOVED'),
      ])
    }
    expect((await importAt(other, file)).code).toBe(0)
    expect((await other.run(['requests', 'resolve', open, '--yes'])).code).toBe(0)
    expect((await other.run(['bulk', 'resume', job?.job ?? '', '--yes'])).code).toBe(11)
    expect(await other.json(['bulk', 'status', job?.job ?? ''])).toMatchObject({done: 2, failed: 1})

    const back = join(home.folder, 'back.age')
    expect((await exportAt(other, back, '--move')).code).toBe(0)
    expect((await importAt(home, back)).code).toBe(0)
    expect((await change(home, 6005)).code).toBe(0)
    expect((await change(other, 6005)).code).toBe(3)
    expect(await home.json(['bulk', 'status', job?.job ?? ''])).toMatchObject({done: 2, failed: 1})
    const {code, stdout} = await home.run(['audit', 'verify', '-o', 'json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, {ok: true, unsealed: 0}])
    const kinds = await home.json<{kind: string}[]>(['audit', 'list', '--kind', 'import'])
    expect(kinds).toHaveLength(2)
    // The first file is older than what is here now.
    await exportAt(home, join(home.folder, 'third.age'), '--move')
    const old = await importAt(home, file, '--without-audit')
    expect([old.code, old.stderr]).toEqual([2, expect.stringContaining('newer')])
  })

  it('is taken back by an import on the same machine', async () => {
    await change(home, 6000)
    await exportAt(home, file, '--move')
    expect((await change(home, 6001)).code).toBe(3)
    expect((await importAt(home, file)).code).toBe(0)
    expect((await change(home, 6001)).code).toBe(0)
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
  })

  it('looks for the profile before anything is moved', async () => {
    await change(home, 6000)
    const argv = ['data', 'export', file, '--recipient', recipient, '--move', '--yes']
    const {code, stderr} = await home.run([...argv, '-p', 'nosuch'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('PROFILE_NOT_FOUND')])
    expect((await change(home, 6001)).code).toBe(0)
  })

  it('needs a confirmation', async () => {
    await change(home, 6000)
    const {code, stderr} = await home.run(['data', 'export', file, '--recipient', recipient, '--move'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('CONFIRMATION_REQUIRED')])
    expect((await change(home, 6001)).code).toBe(0)
  })
})

describe('data import refuses and changes nothing', () => {
  beforeEach(async () => {
    await change(home, 6000)
    await exportAt(home, file, '--move')
  })

  const refused = async (from: string, word: string, ...more: string[]) => {
    const before = filesOf(other)
    const {code, stderr} = await importAt(other, from, ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(word)])
    expect(filesOf(other)).toEqual(before)
  }

  it('a trail that does not continue the one here', async () => {
    await change(other, 6000)
    await refused(file, '--without-audit')
  })

  it('a trail beside what is left of another one', async () => {
    mkdirSync(join(other.folder, DATA), {recursive: true, mode: 0o700})
    writeFileSync(join(other.folder, DATA, 'audit.ndjson'), '{"seq":1}\n', {mode: 0o600})
    await refused(file, '--without-audit')
  })

  it('a cut file, wherever it was cut, and a changed one', async () => {
    const bytes = readFileSync(file)
    const cut = join(home.folder, 'cut.age')
    for (const length of [30, 150, 230, 5000, 70_000, bytes.length - 1]) {
      writeFileSync(cut, bytes.subarray(0, length))
      await refused(cut, 'incomplete or was changed')
    }
    bytes[90_000] = (bytes[90_000] ?? 0) ^ 1
    writeFileSync(cut, bytes)
    await refused(cut, 'incomplete or was changed')
    writeFileSync(cut, '')
    await refused(cut, 'not encrypted with age')
  })

  it('a file for another key, and one of another version or program', async () => {
    writeFileSync(keys, `${await generateX25519Identity()}\n`)
    await refused(file, 'not encrypted for a key')
    writeFileSync(keys, `${identity}\n`)
    const own = join(home.folder, 'own.age')
    const age = new Encrypter()
    age.addRecipient(recipient)
    writeFileSync(own, await age.encrypt('hello'))
    await refused(own, 'not a file that data export wrote')
    writeFileSync(own, await age.encrypt(tarOf('manifest.json', '{"format":"cardctl data 3"}')))
    await refused(own, 'cardctl data 3')
    writeFileSync(own, await age.encrypt(tarOf('../../escape', 'x')))
    await refused(own, 'not a file that data export wrote')
  })
})

// Each try takes seconds of processor time, by design.
it.runIf(isWhole)(
  'a passphrase encrypts, and another one does not decrypt',
  async () => {
    await change(home, 6000)
    const stdin = 'six random words or so\n'
    const weak = await home.run(['data', 'export', file], {stdin: 'short\n'})
    expect([weak.code, weak.stderr]).toEqual([2, expect.stringContaining('12 characters')])
    const {signedBy} = await home.json<{signedBy: string}>(['data', 'export', file], {stdin})
    const wrong = await other.run(['data', 'import', file], {stdin: 'seven random words or so\n'})
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('CIPHERTEXT_INVALID')])
    expect((await other.run(['data', 'import', file, '--trust', signedBy], {stdin})).code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await home.run(['data', 'export', file], {stdin})).stderr).toContain('exists already')
  },
  60_000,
)

describe('an import that was killed', () => {
  const STEPS = [
    [],
    ['journal/local.key'],
    ['journal/local.key', 'journal/sandbox.db'],
    ['journal/local.key', 'journal/sandbox.db', 'journal/sandbox.json'],
    ['journal/local.key', 'journal/sandbox.db', 'journal/sandbox.json', 'audit.key'],
    ['journal/local.key', 'journal/sandbox.db', 'journal/sandbox.json', 'audit.key', 'audit.ndjson'],
  ]

  it('is not used, and the same command finishes it, whatever was in its place already', async () => {
    await change(home, 6000)
    await exportAt(home, file, '--move')
    await importAt(other, file)
    const expected = await requestsAt(other)
    // As it was before the import wrote its own entry.
    const trail = join(other.folder, DATA, 'audit.ndjson')
    writeFileSync(trail, `${readFileSync(trail, 'utf8').trimEnd().split('\n').slice(0, -1).join('\n')}\n`)
    for (const step of STEPS) {
      const third = await openHome()
      const to = join(third.folder, DATA)
      mkdirSync(join(to, 'journal'), {recursive: true, mode: 0o700})
      mkdirSync(join(to, 'transfer-999999-0123456789ab'), {mode: 0o700})
      for (const name of step) cpSync(join(other.folder, DATA, name), join(to, name))
      writeFileSync(join(to, 'importing'), '', {mode: 0o600})
      const {code, stderr} = await change(third, 6001)
      expect([step, code, stderr]).toEqual([step, 3, expect.stringContaining('did not end')])
      expect((await importAt(third, file)).stderr).not.toContain('Error')
      expect(await requestsAt(third)).toEqual(expected)
      expect((await third.run(['audit', 'verify'])).code).toBe(0)
      expect((await change(third, 6001)).code).toBe(0)
      expect((await third.run(['audit', 'verify'])).code).toBe(0)
      expect(readdirSync(to).filter(name => /transfer|importing/.test(name))).toEqual([])
      await third.remove()
    }
  })
})

const hasAge = spawnSync('age', ['--version']).status === 0

test.runIf(hasAge)(
  'the program age decrypts a file to a tar archive, and encrypts one that is imported',
  async () => {
    await change(home, 6000)
    await exportAt(home, file, '--move')
    const tar = join(home.folder, 'data.tar')
    expect(spawnSync('age', ['-d', '-i', keys, '-o', tar, file]).status).toBe(0)
    const {stdout} = spawnSync('tar', ['tf', tar], {encoding: 'utf8'})
    expect(stdout.trim().split('\n')).toEqual([
      'manifest.json',
      'signature.json',
      'journal/sandbox.key',
      'journal/sandbox.json',
      'journal/sandbox.db',
      'audit.key',
      'audit.ndjson',
    ])
    const again = join(home.folder, 'again.age')
    expect(spawnSync('age', ['-r', recipient, '-o', again, tar]).status).toBe(0)
    expect((await importAt(other, again, '--trust', signers.get(file) ?? '')).code).toBe(0)
    expect((await change(other, 6001)).code).toBe(0)
  },
)

function tarOf(name: string, content: string): Uint8Array {
  const block = Buffer.alloc(512)
  block.write(name)
  block.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  block.write('        0', 148)
  block.write('ustar\u000000', 257)
  return Buffer.concat([block, Buffer.from(content.padEnd(512, '\0')), Buffer.alloc(1024)])
}
