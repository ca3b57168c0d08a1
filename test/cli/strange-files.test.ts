// Whatever lies under the name of a file of ours: a named failure or the ordinary result, and the file as it was.
import {execFileSync} from 'node:child_process'
import {hash} from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'
import {isWhole, part} from '../helpers/whole.ts'
import {exchangeOf, recordInto} from '../webhook/recordings.ts'

const PATCH = 'accounts patch 2001 --type credit -F creditLimit=5000'
const DATA = '.local/share/cardctl'
const JOURNAL = `${DATA}/journal`

/** Every file that we keep, and commands that read or write it. */
const files: readonly (readonly [file: string, ...commands: string[]])[] = [
  ['.config/cardctl/profiles.json', 'profiles list', 'cards get 3001 -p svc', 'profiles use sandbox'],
  ['.config/cardctl/profiles.json.lock', 'profiles use sandbox'],
  [`${DATA}/secrets.json`, 'cards get 3001 -p svc', 'profiles remove svc --yes'],
  [`${DATA}/audit.ndjson`, 'audit list', 'audit verify', 'audit anchor', PATCH],
  [`${DATA}/audit.ndjson.head`, 'audit list', 'audit verify', PATCH],
  [`${DATA}/audit.key`, 'audit key', 'audit verify', PATCH],
  [`${JOURNAL}/SERVICE.db`, 'requests list', PATCH],
  [`${JOURNAL}/SERVICE.json`, 'requests list', PATCH],
  [`${JOURNAL}/local.key`, PATCH, 'bulk list'],
  [`${DATA}/sandbox/sandbox.db`, 'cards get 3001', PATCH],
  [`${DATA}/webhook/events.db`, 'webhook events list', 'webhook events prune --older-than 1d --yes'],
]

/** What can lie there instead of what should. */
const conditions: Record<string, (path: string) => void> = {
  'a folder': path => {
    rmSync(path, {force: true})
    mkdirSync(path)
  },
  empty: path => writeFileSync(path, '', {mode: 0o600}),
  'a link to itself': path => {
    rmSync(path, {force: true})
    symlinkSync(path, path)
  },
  'a link to a folder': path => {
    rmSync(path, {force: true})
    symlinkSync(dirname(path), path)
  },
  'a link to the file': path => {
    if (!existsSync(path)) return
    renameSync(path, `${path}.moved`)
    symlinkSync(`${path}.moved`, path)
  },
  'a pipe without a writer': path => {
    rmSync(path, {force: true})
    execFileSync('mkfifo', ['-m', '600', path])
  },
  'zero bytes': path =>
    writeFileSync(path, Buffer.alloc(existsSync(path) ? lstatSync(path).size : 9), {mode: 0o600}),
  'cut short': path =>
    writeFileSync(path, existsSync(path) ? readFileSync(path).subarray(0, -9) : '1', {mode: 0o600}),
  'writable for everybody': path => existsSync(path) && chmodSync(path, 0o666),
}
/** Root may read everything. */
if (process.getuid?.() !== 0) conditions.unreadable = path => existsSync(path) && chmodSync(path, 0o000)

let home: Home
let whole: string
/** The id of the service that the sandbox is. */
let service: string

beforeAll(async () => {
  home = await openHome()
  const add = 'profiles add svc --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -'
  await home.run(add.split(' '), {stdin: 't0ken\n'})
  await home.run(PATCH.split(' '))
  const rows = {stdin: 'id,creditLimit\n2001,5001\n'}
  await home.run('bulk run accounts.patchCredit.v4 --from - --yes'.split(' '), rows)
  await recordInto(join(home.folder, DATA, 'webhook/events.db'), exchangeOf(1))
  const name = readdirSync(join(home.folder, JOURNAL)).find(each => each.endsWith('.db'))
  service = name?.replace(/\.db$/, '') ?? ''
  whole = `${home.folder}-whole`
  cpSync(home.folder, whole, {recursive: true})
})
afterAll(async () => {
  await home.remove()
  rmSync(whole, {recursive: true, force: true})
})

function restore(): void {
  rmSync(home.folder, {recursive: true, force: true})
  cpSync(whole, home.folder, {recursive: true})
}

/** What lies under a name, so that it can be compared. */
function lying(path: string): string {
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (found === undefined) return 'nothing'
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`
  if (found.isFile() && found.size === 0) return 'an empty file'
  if (found.isFile()) return `file ${hash('sha256', readFileSync(path))}`
  return found.isDirectory() ? 'folder' : 'something else'
}

function expectNamed({code, stderr, stdout}: RunResult, path: string, left: string, what: string): void {
  expect(`${stderr}${stdout}`, what).not.toMatch(/INTERNAL|Unexpected/)
  expect(code, `${what}: ${stderr}`).not.toBe(1)
  // The service of the profile is not there: the command got as far as asking it.
  if (code === 0 || code === 9) return
  // Found to be wrong: named, and left alone. In an empty file there is nothing to leave.
  expect(stderr, what).toContain(path.replace(/\.lock$/, ''))
  if (left !== 'an empty file') expect(lying(path), what).toBe(left)
}

describe.skipIf(process.platform === 'win32')('under the name of a file of ours', () => {
  it.each(files)(
    '%s',
    async (file, ...commands) => {
      for (const [name, arrange] of part(
        Object.entries(conditions),
        2,
        files.findIndex(one => one[0] === file),
      )) {
        // A lock that holds no name may be one that is just being made, so it is waited for.
        if (file.endsWith('.lock') && /^(empty|zero|cut)/.test(name)) continue
        for (const command of commands) {
          restore()
          const path = join(home.folder, file.replace('SERVICE', service))
          arrange(path)
          const left = lying(path)
          expectNamed(await home.run(command.split(' ')), path, left, `${name}: ${command}`)
        }
      }
    },
    120_000,
  )
})

/** Places of changed bytes, over the whole file. More by hand: PLACES=500 npx vitest run test/cli/strange-files.test.ts */
const PLACES = Number(process.env.PLACES ?? (isWhole ? 6 : 3))

describe('one changed byte', () => {
  it.each(files.filter(([file]) => !file.endsWith('.lock')))(
    'in %s',
    async (file, ...commands) => {
      restore()
      const path = join(home.folder, file.replace('SERVICE', service))
      const bytes = readFileSync(path)
      // What is never written says nothing: places where something stands.
      const places = [...bytes.keys()].filter(place => bytes[place] !== 0)
      for (let n = 0; n < PLACES; n++) {
        const place = places[Math.floor(((n + 0.5) * places.length) / PLACES)] ?? 0
        for (const command of commands.slice(0, 3)) {
          restore()
          const changed = Buffer.from(bytes)
          changed[place] = (changed[place] ?? 0) ^ (1 << (n % 8))
          writeFileSync(path, changed)
          for (const log of ['-wal', '-shm']) rmSync(`${path}${log}`, {force: true})
          const result = await home.run(command.split(' '))
          const what = `${command}: byte ${place} ${result.stderr}`
          expect(result.stderr, what).not.toMatch(/INTERNAL|Unexpected/)
          expect(result.code, what).not.toBe(1)
          expect(existsSync(path), what).toBe(true)
        }
      }
    },
    120_000,
  )
})
