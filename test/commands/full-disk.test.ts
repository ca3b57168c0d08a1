// A disk that is full has an error of its own, which says what was sent, and names the command to run once there is space.
import {expect, onTestFinished, test} from 'vitest'
import {openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'
import {mountSmallDisk} from '../helpers/small-disk.ts'
import {suggestedLines} from '../helpers/suggested.ts'

const ROWS = 60
const BATCHES = 8

/** A service that takes writes, and a data folder on a disk that is full from the n-th write on. */
async function scene(skip: () => never) {
  const disk = mountSmallDisk(8) ?? skip()
  onTestFinished(() => disk.remove())
  const home = await openHome()
  onTestFinished(() => home.remove())
  let writes = 0
  let fullAt = 0
  const service = await openService(request => {
    if (request.method !== 'GET' && ++writes === fullAt) disk.fill()
    return undefined
  })
  onTestFinished(() => service.close())
  const env = {CARDCTL_DATA_DIR: disk.folder}
  const add = ['profiles', 'add', 'bank', '--kind', 'test', '--base-url', service.url, '--auth', 'none']
  expect((await home.run(add, {env})).code).toBe(0)
  return {
    disk,
    run: (line: readonly string[], stdin = '') => home.run([...line, '-p', 'bank'], {env, stdin}),
    fillAfter: (more: number) => {
      fullAt = writes + more
    },
    sent: () => writes,
  }
}

const RUN = 'bulk run accounts patch --type credit --from - --concurrency 2 --yes'.split(' ')
const rows = `id,creditLimit\n${Array.from({length: ROWS}, (_, at) => `2001,${100 + at}\n`).join('')}`
const CREATE = 'a2a create --from - --batch-size 1 --yes'.split(' ')
const transfers = `from,to,amount,currency,text\n${Array.from({length: BATCHES}, (_, at) => `2006,2007,${at + 1}.00,EUR,t${at}\n`).join('')}`

test.each([
  ['a bulk run', RUN, rows],
  ['transfers', CREATE, transfers],
  ['one write', ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=4321', '--yes'], ''],
])('before %s: nothing was sent, and the same command follows', async (_, line, stdin) => {
  const {disk, run, sent} = await scene(() => expect.unreachable())
  disk.fill()
  const {code, stderr} = await run(line, stdin)
  expect(code).toBe(3)
  expect(stderr).toMatch(/Error DISK_FULL: The disk of \S+ is full\./)
  expect(stderr).toContain('this command sent nothing')
  expect(stderr).toContain(`delete nothing in ${disk.folder}`)
  expect(stderr).not.toMatch(/owner|mode/)
  expect(sent()).toBe(0)
  disk.free()
  expect(suggestedLines(stderr)).toEqual([[...line, '-p', 'bank']])
  expect((await run(line, stdin)).code).toBe(0)
})

test('in the middle of a bulk run: the numbers, and the job goes on', async () => {
  const {disk, run, fillAfter} = await scene(() => expect.unreachable())
  fillAfter(20)
  const {code, stderr} = await run(RUN, rows)
  expect(code).toBe(3)
  expect(stderr).toMatch(/\nBulk job (j_\w+): \d+ of 60 rows done.*\nError/)
  expect(stderr).toMatch(/Error DISK_FULL: The run stopped: The disk of \S+ is full\. \d+ of 60 rows done/)
  expect(stderr).toMatch(/Free space.*Delete nothing in.*bulk resume sends the \d+ left/)
  disk.free()
  const [next = []] = suggestedLines(stderr).slice(-1)
  expect(next.slice(0, 2)).toEqual(['bulk', 'resume'])
  expect((await run(next.slice(0, 3))).code).toBe(0)
})

test('between the batches of a split: which were accepted, which were not sent, and the rest follows', async () => {
  const {disk, run, fillAfter, sent} = await scene(() => expect.unreachable())
  fillAfter(1)
  const {code, stdout, stderr} = await run([...CREATE, '-o', 'json'], transfers)
  const accepted = sent()
  expect(accepted).toBeLessThan(BATCHES)
  expect(JSON.parse(stdout)).toHaveLength(accepted)
  expect(code).toBe(11)
  const {error} = JSON.parse(stderr.split('\n').find(text => text.startsWith('{"error"')) ?? '{}')
  expect(error).toMatchObject({code: 'PARTLY_DONE', effect: 'done', data: {failed: 'DISK_FULL'}})
  expect(error.message).toMatch(
    /^Batch \d of 8: The disk of \S+ is full\. .*accepted.*EUR .*Not sent: \d transfers?, EUR /,
  )
  expect(error.hint).toContain('Free space there')
  expect(stderr).not.toMatch(/process ended|Do not send it again/)
  disk.free()
  for (const {argv} of error.commands) {
    const ended = await run(
      argv.filter((word: string) => word !== '-p' && word !== 'bank'),
      transfers,
    )
    expect({argv, ...ended}).toMatchObject({code: 0})
  }
  expect(sent()).toBe(BATCHES)
})
