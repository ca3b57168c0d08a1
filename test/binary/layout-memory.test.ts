// The layout of a large answer needs little memory beside the answer itself. What a process takes at its peak says more about
// when V8 collects garbage than about what is needed, so the heap is limited: what needs more ends by itself.
import {expect, onTestFinished, test} from 'vitest'
import {emptyHome, run} from '../helpers/binary.ts'
import {openService} from '../helpers/service.ts'
import {isWhole, part} from '../helpers/whole.ts'

const MEMBERS = 50_000
const ROWS = 5_000
const members = Object.fromEntries(Array.from({length: MEMBERS}, (_, at) => [`f${at}`, at]))
const rows = Array.from({length: ROWS}, (_, at) => ({id: `row${at}`, name: 'Person', note: 'x'.repeat(600)}))

/** The limits are in MB, and close to what reading such an answer needs at all, also with `-o json`. */
const ANSWERS: readonly [string, unknown, number, RegExp, number][] = [
  ['an object of 50,000 members, 1 MB', members, 29, /\bf\d+/g, MEMBERS],
  ['a list of 5,000 rows, 3 MB', rows, 31, /\brow\d+/g, ROWS],
]

test.each(part(ANSWERS, 2))('%s', {timeout: 180_000}, async (_, value, limit, member, count) => {
  const body = Buffer.from(JSON.stringify(value))
  const service = await openService(() => ({
    status: 200,
    headers: {'content-type': 'application/json'},
    body,
  }))
  onTestFinished(() => service.close())
  const env = {
    CARDCTL_PROFILE: 'sandbox',
    CARDCTL_BASE_URL: service.url,
    NODE_OPTIONS: `--max-old-space-size=${limit}`,
  }
  for (const format of isWhole ? ['json', 'table'] : ['table']) {
    const {code, stdout, stderr} = await run(await emptyHome(), ['api', 'GET', '/any', '-o', format], {env})
    expect(code, `${format}: ${stderr}`).toBe(0)
    expect(stdout.match(member)).toHaveLength(count)
  }
})
