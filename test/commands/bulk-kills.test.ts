import {spawn} from 'node:child_process'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const ROWS = 150
const DEV = fileURLToPath(new URL('../../bin/dev.js', import.meta.url))
/** Seeded: KILL_SEED tries other moments, KILLS more of them. */
const SEED = Number(process.env.KILL_SEED ?? 20_261_121)
const KILLS = Number(process.env.KILLS ?? 5)

interface Job {
  readonly job: string
  readonly state: string
  readonly done: number
}

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

/** Runs the tool as a process of its own and kills it after so many ms, if it still runs. Gives its exit code. */
function run(argv: readonly string[], killAfter?: number): Promise<number | null> {
  const child = spawn(process.execPath, [DEV, ...argv], {
    env: {HOME: home.folder, CARDCTL_PROFILE: 'sandbox', NO_COLOR: '1', PATH: process.env.PATH},
    stdio: 'ignore',
  })
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  return new Promise(resolve => {
    child.on('exit', code => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

/** mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('killed at random moments and resumed, every row takes effect exactly once', async () => {
  const next = random(SEED)
  const file = join(home.folder, 'rows.csv')
  const rows = Array.from({length: ROWS}, (_, at) => `2001,${1000 + at}\n`)
  await writeFile(file, `id,creditLimit\n${rows.join('')}`)
  await home.run(['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--delay', '20ms'])
  const flags = ['--rate', 'off', '--concurrency', '4']
  const jobs = () => home.json<Job[]>(['bulk', 'list'])
  let job: Job | undefined
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const argv =
      job === undefined
        ? ['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, ...flags]
        : ['bulk', 'resume', job.job, ...flags]
    await run(argv, 600 + next() * 700)
    const [found] = await jobs()
    // Killed before it had read the rows, it sent nothing and is begun anew.
    job = found?.state === 'unread' ? undefined : found
    if (job?.state === 'stopped' && job.done > 0) midway++
  }
  if (job === undefined)
    expect(await run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, ...flags])).toBe(0)
  else expect(await run(['bulk', 'resume', job.job, ...flags])).toBe(0)
  const [last] = await jobs()
  expect(last).toMatchObject({state: 'done', done: ROWS})
  const account = await home.json<{effects: number}>(['sandbox', 'state', 'show', 'account', '2001'])
  expect(account.effects).toBe(ROWS)
  if (process.env.KILLS !== undefined) console.log(`${midway} of ${KILLS} kills hit the job midway`)
}, 120_000)
