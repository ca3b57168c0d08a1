// The layout of a large answer takes little memory beside the answer itself.
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {emptyHome, run} from '../helpers/binary.ts'
import {openService} from '../helpers/service.ts'

const MEMBERS = 400_000
const ANSWER = JSON.stringify(Object.fromEntries(Array.from({length: MEMBERS}, (_, at) => [`f${at}`, at])))

test('the layout of an object takes at most three times the answer more than its JSON does', {
  timeout: 180_000,
}, async () => {
  const service = await openService(() => ({
    status: 200,
    headers: {'content-type': 'application/json'},
    body: Buffer.from(ANSWER),
  }))
  onTestFinished(() => service.close())
  const home = await emptyHome()
  const preload = join(home, 'peak.cjs')
  const report = "require('node:fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS))"
  writeFileSync(preload, `process.on('exit', () => ${report})`)
  const peakOf = async (format: string): Promise<number> => {
    const PEAK = join(home, format)
    const env = {CARDCTL_PROFILE: 'sandbox', CARDCTL_BASE_URL: service.url, PEAK}
    const options = {env: {...env, NODE_OPTIONS: `--require=${preload}`}}
    const {code, stdout, stderr} = await run(home, ['api', 'GET', '/fields', '-o', format], options)
    expect(code, stderr).toBe(0)
    expect(stdout.match(/f\d+/g)).toHaveLength(MEMBERS)
    return Number(readFileSync(PEAK, 'utf8')) * 1024
  }
  const [json, table] = [await peakOf('json'), await peakOf('table')]
  expect(json).toBeGreaterThan(ANSWER.length)
  expect((table - json) / ANSWER.length).toBeLessThan(3)
})
