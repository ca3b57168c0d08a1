import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {expect, onTestFinished, test} from 'vitest'
import {isWhole} from '../helpers/whole.ts'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const ROWS = 120

interface Job {
  readonly job: string
  readonly state: string
  readonly done: number
}

test.runIf(isWhole && process.platform === 'linux')(
  'a disk that fills stops a bulk run; with room again it goes on, and every row takes effect once',
  {timeout: 120_000},
  async () => {
    const world = await World.open({accounts: ROWS})
    onTestFinished(() => world.close())
    const {home} = world
    const file = join(world.folder, 'rows.csv')
    const rows = Array.from({length: ROWS}, (_, at) => `${FIRST_ACCOUNT + at},77\n`)
    await writeFile(file, `id,creditLimit\n${rows.join('')}`)
    const flags = ['--rate', 'off', '--concurrency', '4']
    const argv = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, ...flags]
    // The journal grows with the rows; at some of these limits it is full before, at others in the middle of the run.
    let job: Job | undefined
    let stopped = 0
    for (let kib = 200; job?.state !== 'done' && kib < 4000; kib += 300) {
      const {code, stderr} = await home.limited(kib).run(job ? ['bulk', 'resume', job.job, ...flags] : argv)
      if (code !== 0) {
        expect(code, stderr).toBe(3)
        stopped++
      }
      const [newest] = await home.json<Job[]>(['bulk', 'list'])
      job = newest?.state === 'unread' ? undefined : newest
    }
    expect(stopped).toBeGreaterThan(0)
    expect(job).toMatchObject({state: 'done', done: ROWS})
    expect(await world.effects()).toEqual(rows.map(() => 1))
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
  },
)
