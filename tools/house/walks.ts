import {spawn, spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'

const PROFILE = 'walk'
const PRELOAD = join(import.meta.dirname, 'trace-entries.ts')

/** A function that was entered, and its file. */
interface Entry {
  readonly file: string
  readonly name: string
}

/** One command's way through the sources, by the files whose functions are entered. */
export interface Walk {
  readonly name: string
  readonly files: number
  readonly rooms: number
  /** Times that it goes into a room that it had left. */
  readonly returns: number
  /** Changes of room by the functions before and after, the most frequent first. */
  readonly changes: readonly Count[]
  /** Files of which one function is entered. */
  readonly single: readonly Count[]
}

export interface Count {
  readonly what: string
  readonly times: number
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
  const entered = (argv: readonly string[], input = ''): readonly Entry[] => {
    const trace = join(folder, 'trace')
    run(argv, {input, preload: ['--no-warnings', '--import', PRELOAD], trace})
    return readFileSync(trace, 'utf8').trimEnd().split('\n').map(entryOf)
  }
  try {
    const url = await addressOf(sandbox)
    run(['profiles', 'add', PROFILE, '--kind', 'test', '--base-url', url, '--auth', 'none'])
    // The first write makes the stores, which belongs to none of them.
    run(PATCH)
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

function entryOf(line: string): Entry {
  const [file = '', name = ''] = line.split('\t')
  return {file, name}
}

const roomOf = (file: string): string => file.split('/')[1] ?? file
const labelOf = ({file, name}: Entry): string => `${file.slice('src/'.length)} ${name}`

function walkOf(name: string, entered: readonly Entry[]): Walk {
  const arrivals = entered.filter(({file}, at) => roomOf(file) !== roomOf(entered[at - 1]?.file ?? ''))
  const files = Map.groupBy(entered, ({file}) => file)
  const rooms = new Set(entered.map(({file}) => roomOf(file))).size
  const pairs = entered.flatMap((entry, at) => {
    const before = entered[at - 1]
    if (before === undefined || roomOf(before.file) === roomOf(entry.file)) return []
    return [`${labelOf(before)} → ${labelOf(entry)}`]
  })
  const single = [...files.values()].filter(entries => new Set(entries.map(one => one.name)).size === 1)
  return {
    name,
    files: files.size,
    rooms,
    returns: arrivals.length - rooms,
    changes: counted(pairs),
    single: counted(single.flat().map(labelOf)),
  }
}

/** What a run with more rows does more often, for one of them. */
function rowWalk(name: string, few: readonly Entry[], many: readonly Entry[]): Walk {
  const more = MANY - FEW
  const often = moreOften(counted(visited(few)), counted(visited(many)))
  const [before, after] = [walkOf(name, few), walkOf(name, many)]
  const files = new Set(often.map(({what}) => what))
  return {
    name,
    files: files.size,
    rooms: new Set([...files].map(roomOf)).size,
    returns: Math.round((after.returns - before.returns) / more),
    changes: moreOften(before.changes, after.changes),
    single: moreOften(before.single, after.single),
  }
}

/** The files in the order of the way, each as often as it is entered from another. */
const visited = (entered: readonly Entry[]): readonly string[] =>
  entered.map(({file}) => file).filter((file, at, all) => file !== all[at - 1])

const counted = (what: readonly string[]): readonly Count[] =>
  [...Map.groupBy(what, one => one)]
    .map(([one, same]) => ({what: one, times: same.length}))
    .sort((a, b) => b.times - a.times)

/** What occurs more often for each further row, and how often for one. */
function moreOften(few: readonly Count[], many: readonly Count[]): readonly Count[] {
  const before = new Map(few.map(({what, times}) => [what, times]))
  return many
    .map(({what, times}) => ({what, times: (times - (before.get(what) ?? 0)) / (MANY - FEW)}))
    .filter(({times}) => times >= 1 / 2)
    .sort((a, b) => b.times - a.times)
}
