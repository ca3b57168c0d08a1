import {spawn, spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'

const PROFILE = 'walk'
const PRELOAD = join(import.meta.dirname, 'trace-entries.ts')

/** One command's way through the sources, by the files whose functions are entered. */
export interface Walk {
  readonly name: string
  readonly files: number
  readonly rooms: number
  /** Times that it goes into a room that it had left. */
  readonly returns: number
}

const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--yes']
const BULK = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--concurrency', '1', '--yes']
const [FEW, MANY] = [2, 12]
const rowsOf = (count: number): string =>
  `id,creditLimit\n${Array.from({length: count}, (_, at) => `2001,${5001 + at}\n`).join('')}`

/** Runs the commands against a sandbox in a process of its own. */
export async function walks(): Promise<readonly Walk[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-walks-'))
  const env = {...process.env, HOME: folder, CARDCTL_PROFILE: PROFILE, CARDCTL_NO_INPUT: '1'}
  const program = [join(import.meta.dirname, '../../bin/dev.mjs')]
  const sandbox = spawn(process.execPath, [...program, 'sandbox', 'serve', '--port', '0', '--memory'], {
    env: {...env, CARDCTL_PROFILE: 'sandbox'},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = (argv: readonly string[], {input = '', preload = [] as string[], trace = ''} = {}) => {
    const ended = spawnSync(process.execPath, [...preload, ...program, ...argv], {
      env: {...env, HOUSE_TRACE: trace},
      input,
      encoding: 'utf8',
    })
    if (ended.status !== 0) throw new Error(`${argv.join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  }
  const entered = (argv: readonly string[], input = ''): readonly string[] => {
    const trace = join(folder, 'trace')
    run(argv, {input, preload: ['--no-warnings', '--import', PRELOAD], trace})
    return readFileSync(trace, 'utf8').trimEnd().split('\n')
  }
  try {
    const url = await addressOf(sandbox)
    run(['profiles', 'add', PROFILE, '--kind', 'test', '--base-url', url, '--auth', 'none'])
    // The first command opens the stores, which belongs to none of them.
    run(['cards', 'get', '3001'])
    return [
      walkOf('GET over HTTP', entered(['cards', 'get', '3001'])),
      walkOf('PATCH over HTTP', entered(PATCH)),
      rowWalk('one row of a bulk run', entered(BULK, rowsOf(FEW)), entered(BULK, rowsOf(MANY))),
    ]
  } finally {
    sandbox.kill()
    rmSync(folder, {recursive: true, force: true})
  }
}

async function addressOf({stdout, stderr}: ReturnType<typeof spawn>): Promise<string> {
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue
    for await (const line of createInterface({input: stream})) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      if (url !== undefined) return url
    }
  }
  throw new Error('The sandbox did not start.')
}

const roomOf = (file: string): string => file.split('/')[1] ?? file

function walkOf(name: string, entered: readonly string[]): Walk {
  const rooms = entered.map(roomOf)
  const changes = rooms.filter((room, at) => room !== rooms[at - 1]).length
  const seen = new Set(rooms).size
  return {name, files: new Set(entered).size, rooms: seen, returns: changes - seen}
}

/** What a run with more rows does more often, for one of them. */
function rowWalk(name: string, few: readonly string[], many: readonly string[]): Walk {
  const more = MANY - FEW
  const [before, after] = [few, many].map(entered => Map.groupBy(entered, file => file))
  const often = [...(after?.keys() ?? [])].filter(
    file => (after?.get(file)?.length ?? 0) - (before?.get(file)?.length ?? 0) >= more / 2,
  )
  const returns = (walkOf(name, many).returns - walkOf(name, few).returns) / more
  return {name, files: often.length, rooms: new Set(often.map(roomOf)).size, returns: Math.round(returns)}
}
