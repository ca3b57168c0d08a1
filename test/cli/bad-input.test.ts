import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {Readable} from 'node:stream'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

/** A failure as people may see it: the right code, nothing on stdout, no stack, no control characters. */
function expectFailure({code, stdout, stderr}: RunResult, exit: number): void {
  expect(code).toBe(exit)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^(sandbox \(embedded\)\n|Warning.*\n)*Error [A-Z_]+: /)
  expect(stderr).not.toMatch(/^\s+at /m)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
}

describe('ids', () => {
  it.each([
    ['%2f', '/v4/%252f'],
    ['a%2e%2e', '/v4/a%252e%252e'],
    ['a b', '/v4/a%20b'],
    ['a?b#c', '/v4/a%3Fb%23c'],
    ['käse', '/v4/k%C3%A4se'],
    ['3001;x=1', '/v4/3001%3Bx%3D1'],
  ])('%j is one segment of the path', async (id, path) => {
    const {stdout} = await home.run(['cards', 'get', id, '--dry-run'])
    expect(new URL(JSON.parse(stdout).url).pathname).toBe(path)
    expectFailure(await home.run(['cards', 'get', id]), 5)
  })

  it.each(['a/b', '3001/../3002', '3001/', '/3001', '3001\\..\\3002', './3001'])(
    '%j holds a slash and is refused before anything is sent',
    async id => {
      for (const argv of [
        ['cards', 'get', id],
        ['cards', 'get', '--reference', id],
        ['accounts', 'update-property', id, 'DELETE_ADDRESS'],
        ['a2a', 'get', id],
      ]) {
        const result = await home.run(argv)
        expectFailure(result, 2)
        expect(result.stderr).toContain('no id holds a slash')
      }
    },
  )

  it.each(['3001/../3002', '3001/.', '../3001', '..\\3001'])(
    '%j leads to another path, so that --no-check-input does not send it either',
    async id => {
      const result = await home.run(['cards', 'get', id, '--no-check-input'])
      expectFailure(result, 2)
      expect(result.stderr).toContain('another path')
    },
  )

  it.each(['.', '..'])('%j would lead to another path', async id => {
    expectFailure(await home.run(['cards', 'get', id]), 2)
    expectFailure(await home.run(['cards', 'list', '--customer', id]), 2)
    expectFailure(await home.run(['accounts', 'update-property', id, 'DELETE_ADDRESS']), 2)
  })

  it.each(['', 'a\u0000b', 'a\nb', '\u001b[31mred', 'a\u202eb', '\ud800'])(
    '%j is refused, or not found, and shown harmlessly',
    async id => {
      const {code, ...others} = await home.run(['cards', 'get', id])
      expect([2, 5]).toContain(code)
      expectFailure({code, ...others}, code)
    },
  )

  it('of 100,000 digits is refused or not found, in a short message', async () => {
    const {code, stdout, stderr} = await home.run(['cards', 'get', '9'.repeat(100_000)])
    expect([2, 5, 6]).toContain(code)
    expect(stdout).toBe('')
    expect(stderr.length).toBeLessThan(4000)
  })
})

describe('one message for one mistake', () => {
  const write = 'accounts patch 2001 --type credit'

  // What is wrong, where, and what to do.
  it.each([
    ['cards get @', /^Error USAGE: The argument ID is empty\.\n {2}See cardctl cards get --help\n$/],
    ['cards list --customer @', /--customer is empty/],
    ['requests show @', /The argument ID is empty/],
    [`${write} --data @`, /--data is empty/],
    [`${write} --data -`, /stdin is empty/],
    [`${write}`, /At least one of --status, .*, --field, --data is needed/],
    [`${write} -F`, /--field expects a value/],
    [`${write} -F creditLimit`, /-F takes path=value/],
    [`${write} -F =5`, /-F takes path=value/],
    [`${write} -F a..b=5`, /a\.\.b is not the path of a field/],
    [`${write} -F usageLimits[4294967294]=5`, /A list index in .* is too large/],
    [`${write} -F creditLimit=abc`, /creditLimit must be a number/],
    [`${write} -F creditLimit.x=5`, /creditLimit must be a number/],
    [`${write} -F reason=x --idempotency-key @`, /this one is empty/],
    [`${write} -F reason=x --idempotency-key ${'k'.repeat(65)}`, /1 to 64 .* this one has 65/],
    [`${write} -F reason=x --idempotency-key ä`, /printable ASCII/],
    ['a2a create --from @', /The file to read has no name/],
    ['a2a create --from /nowhere/transfers.csv', /cannot be read: it does not exist/],
    ['a2a create --from /', /\/ cannot be read: it is a folder/],
    [
      'pin view --control-id env:HOME --public-key /nowhere.pem',
      /The public key \/nowhere\.pem cannot be read/,
    ],
    ['cards get 3001 --output bogus', /--output must be one of table, json, ndjson, csv, yaml/],
    ['cards get 3001 --query [', /--query is not a JMESPath expression/],
    ['cards get 3001 --query @', /--query is not a JMESPath expression/],
    ['cards get 3001 --query nofunc(@)', /there is no such function/],
    ['cards get 3001 --columns @', /--columns has an empty name/],
    ['cards get 3001 --columns id,', /--columns has an empty name/],
    ['cards get 3001 --timeout -1', /--timeout must be a number/],
    ['cards get 3001 --dry-run --curl', /--dry-run cannot be used with --curl/],
    ['cards list --customer 1003 --page-size 100000', /size must be 100 or less/],
    ['api GET /v4/3001 --data {}', /takes no fields\n {2}Leave out --data, -f and -F/],
    ['api GET /v4/3001 --paginate', /not a list, so it has no pages/],
    ['api FETCH /v4/3001', /must be one of GET, HEAD, POST/],
    ['profiles add Bad%Name --kind test --base-url https://a.example', /at most 63 lower-case letters/],
  ])('%s', async (line, words) => {
    // An @ alone stands for an empty word.
    const result = await home.run(line.split(' ').map(word => (word === '@' ? '' : word)))
    expectFailure(result, 2)
    expect(result.stderr).toMatch(words)
  })

  it('--profile and profiles show take no empty name for a short one', async () => {
    await home.run('profiles add q --kind test --base-url https://a.example'.split(' '))
    const result = await home.run(['cards', 'get', '3001', '--profile', ''])
    expectFailure(result, 3)
    expect(result.stderr).not.toContain('Did you mean')
  })

  it('profiles edit reports when nothing changes', async () => {
    await home.run('profiles add q --kind test --base-url https://a.example'.split(' '))
    expectFailure(await home.run(['profiles', 'edit', 'q']), 2)
  })

  it('names columns that no item has, with a suggestion', async () => {
    const line = 'cards list --customer 1003 --columns ID,statsu --limit 1'
    const {code, stderr} = await home.run(line.split(' '))
    expect(code).toBe(0)
    expect(stderr).toContain('No item has the field ID, statsu; did you mean id, status?')
  })

  it('stops reading endless input', async ({skip}) => {
    if (process.platform === 'win32') skip('there is no /dev/zero')
    expectFailure(await home.run([...write.split(' '), '--data', '@/dev/zero']), 2)
  })

  it('a byte order mark does not count', async () => {
    const body = '\ufeff{"creditLimit": 5000}'
    expect((await home.run([...write.split(' '), '--data', '-'], {stdin: body})).code).toBe(0)
  })

  it('the flag for a confirmation can be pasted into a shell', async () => {
    await home.run('profiles add prod --kind live --base-url http://localhost:1 --audit-user aino'.split(' '))
    const {stderr} = await home.run(['pricelists', 'delete', "it's $(id)", '-p', 'prod'])
    expect(stderr).toContain(`--confirm 'it'\\''s $(id)'`)
  })
})

describe('deeper than any document', () => {
  const path = Array.from({length: 3000}, () => 'a').join('.')
  const brackets = `${'['.repeat(3000)}${']'.repeat(3000)}`

  it.each([
    [
      'a path of -F',
      ['api', 'PATCH', '/v4/CREDIT/2001', '-F', `${path}=1`],
      /has 3000 steps; the maximum is 100/,
    ],
    [
      'a path of -f',
      ['api', 'PATCH', '/v4/CREDIT/2001', '-f', `${path}=1`],
      /has 3000 steps; the maximum is 100/,
    ],
    [
      'a value of -F',
      ['api', 'PATCH', '/v4/CREDIT/2001', '-F', `x=${brackets}`],
      /The value of x cannot be used/,
    ],
  ])('%s is refused in words', async (_name, line, words) => {
    const result = await home.run(line)
    expectFailure(result, 2)
    expect(result.stderr).toMatch(words)
  })
})

describe('the path of api', () => {
  it.each([
    'v4/3001',
    '//evil.example/x',
    'https://evil.example/',
    '/v4/../x',
    '/v4/%2e%2e/x',
    '/v4/./x',
    '',
  ])('%j is refused', async path => {
    expectFailure(await home.run(['api', 'GET', path]), 2)
  })

  it.each(['/v4/9999', '/v9/things', '/%00', '/v4/%zz', '/@evil.example/', '/\\evil'])(
    '%j stays at the service',
    async path => {
      const {code, stdout} = await home.run(['api', 'GET', path, '--dry-run'])
      expect([0, 2]).toContain(code)
      if (code === 0) expect(new URL(JSON.parse(stdout).url).host).toBe('sandbox.embedded')
    },
  )
})

describe('bodies', () => {
  const credit = ['accounts', 'patch', '2001', '--type', 'credit', '--data']

  it.each([
    ['broken JSON', '{"creditLimit": 5'],
    ['two documents', '{} {}'],
    ['a list', '[]'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['nothing', ''],
    ['a number as text', '{"creditLimit": "5"}'],
    ['an unknown member', '{"creditLimits": 5}'],
    ['a prototype', '{"__proto__": {"admin": true}}'],
  ])('%s is refused, from a literal, a file and stdin', async (_, text) => {
    const file = join(home.folder, 'body.json')
    await writeFile(file, text)
    expectFailure(await home.run([...credit, text]), 2)
    expectFailure(await home.run([...credit, `@${file}`]), 2)
    expectFailure(await home.run([...credit, '-'], {stdin: text}), 2)
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('a broken file is named, and its place, but not its words', async () => {
    const file = join(home.folder, 'body.json')
    await writeFile(file, '{\n  "reason": "tok-3f9a1c",\n  oops\n}')
    const {stderr} = await home.run([...credit, `@${file}`])
    expect(stderr).toContain('body.json is not valid JSON: look at line 3, column 3.')
    expect(stderr).not.toMatch(/tok-|oops/)
  })

  it('tells text that is not JSON from truncated JSON, with the ways to pass it', async () => {
    const words = await home.run([...credit, 'not json'])
    expect(words.stderr).toContain('--data is not valid JSON: look at line 1, column 1.')
    expect(words.stderr).toContain('--data @FILE')
    expect((await home.run([...credit, '{"reason": "x"'])).stderr).toContain('its end is missing')
  })

  it.each([
    ['a folder', ''],
    ['no file', '/nowhere.json'],
  ])('%s cannot be read', async (_, path) => {
    expectFailure(await home.run([...credit, `@${home.folder}${path}`]), 2)
  })

  it.each([
    ['--data', '{"transfers":[{"amount":1,"amount":5}]}'],
    ['-F', 'transfers=[{"amount":1,"\\u0061mount":5}]'],
  ])('a field twice in the JSON of %s is refused', async (flag, json) => {
    const result = await home.run(['a2a', 'create', flag, json, '--yes'])
    expectFailure(result, 2)
    expect(result.stderr).toContain('a field twice in one object')
  })

  it('bytes that are no UTF-8 are refused', async () => {
    expectFailure(await home.run([...credit, '-'], {stdin: Buffer.from([0x7b, 0xff, 0x7d])}), 2)
  })

  it('10 MB of JSON are refused by what is in them, not by a crash', async () => {
    const large = JSON.stringify({reason: 'x'.repeat(10 * 1024 * 1024)})
    expectFailure(await home.run([...credit, '-'], {stdin: large}), 2)
    const file = join(home.folder, 'deep.json')
    await writeFile(file, `{\n  "a": ${'['.repeat(200)}`)
    expect((await home.run([...credit, `@${file}`])).stderr).toContain(
      'deep.json cannot be used: at line 2, column 107 it is nested deeper than 100 levels.',
    )
    const many = JSON.stringify({additionalValues: Array(200_000).fill({key: 'k', value: 'v'.repeat(30)})})
    const {code, stderr} = await home.run([...credit, '-'], {stdin: many})
    expect([2, 6]).toContain(code)
    expect(stderr.length).toBeLessThan(10_000)
  })

  it('too large an input is refused before it is read completely', async () => {
    const piece = Buffer.alloc(1024 * 1024, 0x20)
    let read = 0
    const stdin = Readable.from(
      (function* () {
        for (; read < 200; read++) yield piece
      })(),
    )
    expectFailure(await home.run([...credit, '-'], {input: stdin}), 2)
    expect(read).toBeLessThan(100)
  })

  it('a thousand levels are refused', async () => {
    const deep = `{"address":${'{"city":'.repeat(5000)}1${'}'.repeat(5001)}`
    expectFailure(await home.run([...credit, '-'], {stdin: deep}), 2)
    expectFailure(await home.run([...credit, '-', '--no-check-input'], {stdin: deep}).then(asFailure), 2)
  })
})

/** Sent as it is, the service may refuse it, too. */
const asFailure = (result: RunResult): RunResult => ({...result, code: result.code === 6 ? 2 : result.code})

describe('files of the tool', () => {
  const profiles = (): string => join(home.folder, '.config', 'cardctl', 'profiles.json')
  const database = (): string => join(home.folder, '.local', 'share', 'cardctl', 'sandbox', 'sandbox.db')

  it.each(['{', '[]', 'null', '', '{"profiles": 7}'])(
    'damaged profiles (%j) are named and kept',
    async text => {
      await mkdir(join(profiles(), '..'), {recursive: true})
      await writeFile(profiles(), text)
      for (const line of ['whoami', 'profiles list', 'cards get 3001 -p other', 'profiles use sandbox']) {
        const {code, stdout, stderr} = await home.run(line.split(' '))
        expect(code).toBe(3)
        expect(stdout).toBe('')
        expect(stderr).toContain('profiles.json')
      }
      expect(await readFile(profiles(), 'utf8')).toBe(text)
    },
  )

  it('a damaged database is named and kept', async () => {
    await mkdir(join(database(), '..'), {recursive: true})
    const text = 'this is no database, '.repeat(100)
    await writeFile(database(), text)
    const result = await home.run(['cards', 'get', '3001'])
    expectFailure(result, 3)
    expect(result.stderr).toContain('sandbox.db')
    expect(await readFile(database(), 'utf8')).toBe(text)
  })

  it('a file where the data folder should be ends with 3', async () => {
    await writeFile(join(home.folder, 'data'), 'a file')
    const env = {CARDCTL_DATA_DIR: join(home.folder, 'data')}
    expectFailure(await home.run(['cards', 'get', '3001'], {env}), 3)
    expectFailure(await home.run(['cards', 'control-token', '3001'], {env}), 3)
  })

  it.skipIf(process.getuid?.() === 0)(
    'a read-only data folder ends with 3 (root may write anywhere)',
    async () => {
      const folder = join(home.folder, 'data')
      await mkdir(folder, {mode: 0o500})
      try {
        expectFailure(await home.run(['cards', 'get', '3001'], {env: {CARDCTL_DATA_DIR: folder}}), 3)
      } finally {
        await chmod(folder, 0o700)
      }
    },
  )

  it('others cannot read any file of cardctl', async () => {
    await home.json('profiles add other --kind test --base-url https://api.example --auth none'.split(' '))
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'reason=x'])
    expect(await modesBelow(home.folder)).toEqual([])
  })
})

/** Files and folders of the tool that others than their owner may open. */
async function modesBelow(folder: string): Promise<string[]> {
  const {glob, stat} = await import('node:fs/promises')
  const open: string[] = []
  for await (const path of glob('{.config,.local/share}/cardctl/**', {cwd: folder})) {
    const {mode} = await stat(join(folder, path))
    if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`)
  }
  return open
}

describe('stdin', () => {
  it.each([
    ['cards get --pan-stdin'],
    ['pin set 3001'],
    ['pin set --control-id env:HOME --pin-block-stdin'],
    ['accounts patch 2001 --type credit --data -'],
    ['a2a create --from - --yes'],
    ['profiles add p --kind test --base-url https://api.example --auth bearer --secret -'],
  ])('%s says that nothing was there when it is closed', async line => {
    const closed = new Readable({read() {}})
    closed.destroy()
    for (const options of [{}, {input: closed}]) {
      const result = await home.run(line.split(' '), options)
      expect(result.code).toBe(2)
      expect(result.stdout).toBe('')
      expect(result.stderr).not.toMatch(/^\s+at /m)
      expect(result.stderr).toContain('INPUT_INVALID')
    }
  })
})
