import {cp, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService} from './scene.ts'

const DAY = 24 * 60 * 60 * 1000
const CHANGE = ['accounts', 'patch', '2001', '--type', 'credit', '--quiet', '-F']

interface Line {
  readonly seq: number
  readonly kind: string
  readonly operation?: string
  readonly outcome?: string
  readonly profile?: string
}

const dataOf = ({folder}: Home) => join(folder, '.local', 'share', 'cardctl')
const trailOf = (home: Home) => join(dataOf(home), 'audit.ndjson')
const linesOf = async (home: Home) => (await readFile(trailOf(home), 'utf8')).trimEnd().split('\n')
const writeLines = (home: Home, lines: readonly string[]) => writeFile(trailOf(home), `${lines.join('\n')}\n`)

/** A home whose trail has some lines. */
async function scene(writes = 4): Promise<Home> {
  const home = await newHome()
  for (let n = 0; n < writes; n++)
    expect((await home.run([...CHANGE, `creditLimit=${100 + n}`])).code).toBe(0)
  return home
}

const verify = (home: Home, ...more: string[]) => home.run(['audit', 'verify', '-o', 'json', ...more])
const anchorOf = async (home: Home) => (await home.json<{anchor: string}>(['audit', 'anchor'])).anchor

describe('audit list', () => {
  test('has every write, disclosure and reveal, newest first, and no single read', async () => {
    const home = await newHome()
    await home.run([...CHANGE, 'creditLimit=100'])
    await home.run(['cards', 'get', '3001'])
    await home.run(['pricelists', 'delete', '5002', '--yes'])
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    const kinds = (await home.json<Line[]>(['audit', 'list'])).map(({kind}) => kind)
    expect(kinds).toEqual(['reveal', 'disclose', 'destroy', 'write'])
    expect(await home.json<Line[]>(['audit', 'list', '--kind', 'reveal'])).toHaveLength(1)
    expect(await home.json<Line[]>(['audit', 'list', '--resource', 'pricelist:5002'])).toHaveLength(1)
    expect(await home.json<Line[]>(['audit', 'list', '--operation', 'cards'])).toHaveLength(2)
  })

  test('is of all profiles, or of one with -p', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    await home.run([...CHANGE, 'creditLimit=100'])
    await home.run([...CHANGE, 'creditLimit=200', '-p', 'staging'])
    expect(await home.json<Line[]>(['audit', 'list', '--kind', 'write'])).toHaveLength(2)
    const own = await home.json<Line[]>(['audit', 'list', '-p', 'staging', '--kind', 'write'])
    expect(own.map(({profile}) => profile)).toEqual(['staging'])
  })

  test('has the names of the fields that were sent, but no values', async () => {
    const home = await newHome()
    await home.run(['accounts', 'patch', '2002', '--type', 'debit', '--name', 'Verysecretname', '--quiet'])
    const text = await readFile(trailOf(home), 'utf8')
    expect(text).toContain('"name"')
    expect(text).not.toContain('Verysecretname')
  })
})

test('a write whose end was lost is in the trail, and so is what a person finds out', async () => {
  const [home, service] = [
    await newHome(),
    await newService(({method}) => (method === 'PATCH' ? reply(200, {error: 'odd'}) : undefined)),
  ]
  await addProfile(home, 'staging', 'test', service.url)
  const lost = await home.run(['pricelists', 'patch', '5001', '--code', 'NEW', '-p', 'staging'])
  expect(lost.code).toBe(10)
  const [request] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'staging'])
  const found = ['--found', 'effect', '--because', 'It is there', '--yes', '-p', 'staging']
  expect((await home.run(['requests', 'resolve', `${request?.id}`, ...found])).code).toBe(0)
  const lines = await home.json<(Line & {request: string; outcome: string})[]>(['audit', 'list'])
  expect(lines.map(({request: id, outcome}) => [id, outcome])).toEqual([
    [request?.id, 'done'],
    [request?.id, 'unknown'],
    // The profile was added.
    [undefined, 'done'],
  ])
})

describe('audit verify', () => {
  test('accepts an unchanged trail', async () => {
    const home = await scene()
    const seen = await verify(home)
    expect(seen.code).toBe(0)
    expect(JSON.parse(seen.stdout)).toMatchObject({ok: true, lines: 4, unsealed: 0})
  })

  const swapped = ([first, second, ...rest]: string[]) => [second ?? '', first ?? '', ...rest]
  const changes: [string, (lines: string[]) => string[]][] = [
    ['changed', lines => lines.map((line, n) => (n === 1 ? line.replace('creditLimit', 'name') : line))],
    ['removed', lines => lines.filter((_, n) => n !== 1)],
    ['moved', swapped],
    ['cut off at the end', lines => lines.slice(0, -1)],
    ['cut off at the beginning', lines => lines.slice(1)],
    ['added in between', ([first = '', ...rest]) => [first, first, ...rest]],
  ]
  for (const [what, change] of changes) {
    test(`is broken when a line was ${what}, and audit export ends with 3 or hands out what is left`, async () => {
      const home = await scene()
      await writeLines(home, change(await linesOf(home)))
      const seen = await verify(home)
      expect([seen.code, errorCode(seen)]).toEqual([3, 'CONFIG_DAMAGED'])
      expect(seen.stderr).toMatch(/line \d/)
      const handedOut = await home.run(['audit', 'export', '-o', 'ndjson'])
      expect(handedOut.code).toBe(3)
      expect(handedOut.stdout).toContain('accounts.patchCredit.v4')
    })
  }

  for (const files of [['audit.ndjson.head'], ['audit.key'], ['audit.ndjson', 'audit.ndjson.head']]) {
    test(`is broken without ${files.join(' and ')}, and stays so when the trail goes on`, async () => {
      const home = await scene(2)
      for (const file of files) await rm(join(dataOf(home), file))
      expect((await verify(home)).code).toBe(3)
      await home.run([...CHANGE, 'creditLimit=900'])
      expect((await verify(home)).code).toBe(3)
    })
  }

  test('is broken without trail, head and key while the journal has requests that left lines', async () => {
    const home = await scene(1)
    for (const file of ['audit.ndjson', 'audit.ndjson.head', 'audit.key']) await rm(join(dataOf(home), file))
    expect((await verify(home)).code).toBe(3)
    await home.run([...CHANGE, 'creditLimit=900'])
    expect((await verify(home)).code).toBe(3)
  })

  test('says where the key is, and never prints it', async () => {
    const home = await scene(1)
    const key = await home.json<{key: string}>(['audit', 'key'])
    expect(key.key).toContain(join(dataOf(home), 'audit.key'))
    expect((await verify(home)).stdout).toContain('audit.key')
    const kept = (await readFile(join(dataOf(home), 'audit.key'), 'utf8')).match(/[\w+/=-]{32,}/)?.[0]
    expect(JSON.stringify(key)).not.toContain(kept ?? 'no key')
    expect((await stat(join(dataOf(home), 'audit.key'))).mode & 0o777).toBe(0o600)
  })

  test('with --anchor finds older copies of all files out', async () => {
    const home = await scene(2)
    const copy = join(home.folder, 'copy')
    await cp(dataOf(home), copy, {recursive: true})
    await home.run([...CHANGE, 'creditLimit=900'])
    const anchor = await anchorOf(home)
    expect((await verify(home, '--anchor', anchor)).code).toBe(0)
    await rm(dataOf(home), {recursive: true})
    await cp(copy, dataOf(home), {recursive: true})
    expect((await verify(home)).code).toBe(0)
    expect((await verify(home, '--anchor', anchor)).code).toBe(3)
  })
})

describe('audit prune', () => {
  const old = async () => {
    const home = await newHome()
    const then = Date.now() - 500 * DAY
    for (const limit of [100, 200]) await home.run([...CHANGE, `creditLimit=${limit}`], {now: () => then})
    await home.run([...CHANGE, 'creditLimit=300'])
    return {home, file: join(home.folder, 'old.ndjson')}
  }

  test('needs a new file, and asks', async () => {
    const {home, file} = await old()
    expect((await home.run(['audit', 'prune', '--yes'])).code).toBe(2)
    expect((await home.run(['audit', 'prune', '--export', file])).code).toBe(2)
    await writeFile(file, '')
    expect((await home.run(['audit', 'prune', '--export', file, '--yes'])).code).toBe(2)
    expect(await linesOf(home)).toHaveLength(3)
  })

  test('writes lines of more than 400 days byte for byte to the file, and removes them', async () => {
    const {home, file} = await old()
    const before = await linesOf(home)
    const pruned = await home.json(['audit', 'prune', '--export', file, '--yes'])
    expect(pruned).toMatchObject({removed: 2, kept: 1})
    expect(await readFile(file, 'utf8')).toBe(`${before.slice(0, 2).join('\n')}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const seen = await verify(home)
    expect(seen.code).toBe(0)
    expect(JSON.parse(seen.stdout)).toMatchObject({ok: true, pruned: 2})
  })

  test('an older anchor can only be found as pruned then, and a new one is found', async () => {
    const {home, file} = await old()
    const then = Date.now() - 500 * DAY
    const fresh = await newHome()
    await fresh.run([...CHANGE, 'creditLimit=100'], {now: () => then})
    const anchor = await anchorOf(fresh)
    await fresh.run(['audit', 'prune', '--export', file, '--yes'])
    expect((await verify(fresh, '--anchor', anchor)).stdout).toContain('"pruned"')
    expect(JSON.parse((await verify(fresh, '--anchor', await anchorOf(fresh))).stdout)).toMatchObject({
      anchor: 'found',
    })
    expect((await verify(home)).code).toBe(0)
  })
})
