// The example endpoint in TypeScript, certified with a restart as a command. The others, and all with a probe, are certified by
// `npm run soak -- certify-examples`, because each takes minutes.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'
import {exampleEndpoints, runEndpoint, SHORT, type ShownCertificate} from './certified-endpoints.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

test.runIf(isWhole).each(exampleEndpoints.slice(0, 1))(
  'the endpoint in $language passes every check, with reports of the same data',
  {timeout: 300_000},
  async endpoint => {
    const {url, folder, flags, stop} = await runEndpoint(endpoint)
    onTestFinished(stop)
    const reports = ['html', 'markdown', 'json'].flatMap(kind => [
      '--report',
      `${kind}=${join(folder, kind)}`,
    ])
    // Without the probe, which starts a process for each look.
    const restart = flags.slice(2)
    const argv = ['webhook', 'certify', '--to', url, ...SHORT, '--expects', 'none', ...restart, ...reports]
    const shown = await home.json<ShownCertificate>(argv)
    expect(shown.checks.filter(({state}) => state === 'failed')).toEqual([])
    const open = shown.checks.filter(({state}) => state === 'not checked')
    const reasons = new Set(open.map(({reason}) => reason ?? ''))
    expect(reasons).toContain('it needs 10000 calls, and --calls was 60')
    expect([...reasons].filter(reason => !/--calls|--probe/.test(reason))).toEqual([])
    // What is not checked needs a flag that was not passed, so the exit code is 0.
    expect(shown.result).toBe('limited')
    expect(shown.checks.filter(({basis}) => basis.length === 0).map(({name}) => name)).toEqual([])
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8'))).toEqual(shown)
    const page = await readFile(join(folder, 'html'), 'utf8')
    const markdown = await readFile(join(folder, 'markdown'), 'utf8')
    for (const text of [page, markdown]) {
      expect(text).toContain(shown.sha256)
      expect(text).toMatch(
        /limited: nothing failed; \d+ of \d+ checks not asked for .*; 60 of 10\D000 timed calls/,
      )
      expect(text).toContain('the same call 20 times at once: decided once')
    }
    expect(page).not.toMatch(/<script|<link|<img|http-equiv="refresh"/i)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(0)
    const changed = (await readFile(join(folder, 'json'), 'utf8')).replace('"limited"', '"passed"')
    await writeFile(join(folder, 'json'), changed)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(11)
  },
)
