import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, it} from 'vitest'
import {keptFiles} from '../../src/profiles/kept-files.ts'
import {withLock} from '../../src/profiles/lock.ts'
import {failureOf, type Home, home} from './fixtures.ts'

const program = fileURLToPath(new URL('add-profiles.ts', import.meta.url))
const profile = {kind: 'test', baseUrl: 'https://api.example'} as const

function addMany(user: Home, prefix: string, count: number) {
  const child = spawn(process.execPath, [program, user.path, prefix, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const added: string[] = []
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => added.push(...text.split('\n').filter(Boolean)))
  const end = once(child, 'close').then(([code]) => ({code: code as number | null, errors, added}))
  return {child, added, end}
}

const namesOf = async (user: Home): Promise<string[]> =>
  (await user.profiles().list()).filter(({builtIn}) => !builtIn).map(({name}) => name)

/** The id of a process that has ended. */
async function goneProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'close')
  return child.pid ?? 0
}

describe('two processes that edit at once', () => {
  it('lose nothing: 20 profiles each make 40, and nothing else is left behind', async () => {
    using user = home()
    const ends = await Promise.all([addMany(user, 'a', 20).end, addMany(user, 'b', 20).end])
    expect(ends.map(({code, errors}) => ({code, errors}))).toEqual([
      {code: 0, errors: ''},
      {code: 0, errors: ''},
    ])
    expect(await namesOf(user)).toHaveLength(40)
    expect(readdirSync(user.path)).toEqual(['profiles.json'])
  }, 120_000)

  it('lose nothing when one is killed: what it reported is there, and the other goes on', async () => {
    using user = home()
    const killed = addMany(user, 'a', 10_000)
    killed.child.stdout.on('data', () => {
      if (killed.added.length >= 5) killed.child.kill('SIGKILL')
    })
    const other = await addMany(user, 'b', 20).end
    const {added} = await killed.end
    expect(other).toMatchObject({code: 0, errors: ''})
    const names = await namesOf(user)
    expect(names.filter(name => name.startsWith('b-'))).toHaveLength(20)
    expect(names).toEqual(expect.arrayContaining(added))
    const kept = keptFiles.filter(({folder}) => folder === 'config')
    for (const name of readdirSync(user.path))
      expect(
        kept.some(({pattern}) => pattern.test(name)),
        name,
      ).toBe(true)
    await user.profiles().add('after', profile)
  }, 120_000)
})

describe('the lock of an edit', () => {
  const lockOf = (user: Home): string => `${user.configFile}.lock`
  const holder = (pid: number, host = hostname()): string => `${pid} ${host} some-token\n`

  it('of a process that is gone is taken over', async () => {
    using user = home()
    writeFileSync(lockOf(user), holder(await goneProcess()))
    await user.profiles().add('one', profile)
    expect(existsSync(lockOf(user))).toBe(false)
  })

  it('is waited for while its process lives', async () => {
    using user = home()
    const order: string[] = []
    const first = withLock(user.configFile, Date, async () => {
      await new Promise(resolve => setTimeout(resolve, 50))
      order.push('first')
    })
    await Promise.all([
      first,
      user
        .profiles()
        .add('one', profile)
        .then(() => order.push('second')),
    ])
    expect(order).toEqual(['first', 'second'])
  })

  it('is waited for no longer than until a signal', async () => {
    using user = home()
    writeFileSync(lockOf(user), holder(process.pid))
    const failure = await failureOf(() =>
      withLock(user.configFile, {now: Date.now, signal: AbortSignal.abort('SIGTERM')}, async () => undefined),
    )
    expect(failure).toMatchObject({code: 'TERMINATED', exit: 143})
  })

  it.each([
    ['a process of another machine', holder(process.pid, 'elsewhere'), 31],
    ['a process that hangs', holder(process.pid), 31],
    ['a process that died before it wrote its name', '', 6],
  ])('of %s is taken over in the end', async (_, content, age) => {
    using user = home()
    writeFileSync(lockOf(user), content)
    const then = Date.now() / 1000 - age
    utimesSync(lockOf(user), then, then)
    await user.profiles().add('one', profile)
    expect(await namesOf(user)).toEqual(['one'])
  })

  it("that was taken over in the meantime stops the one who lost it, and stays the other's", async () => {
    using user = home()
    const failure = await failureOf(() =>
      withLock(user.configFile, Date, async lock => {
        writeFileSync(lockOf(user), holder(process.pid))
        lock.assertHeld()
      }),
    )
    expect(failure).toMatchObject({code: 'FILE_LOCKED', exit: 17})
    expect(readFileSync(lockOf(user), 'utf8')).toBe(holder(process.pid))
  })

  it('goes when the edit fails', async () => {
    using user = home()
    await user.profiles().add('one', profile)
    await failureOf(() => user.profiles().add('one', profile))
    expect(existsSync(join(user.path, 'profiles.json.lock'))).toBe(false)
  })
})
