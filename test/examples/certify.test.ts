// The example endpoint in TypeScript, certified as docs/webhook-certify.md says: with a probe and a restart as commands. The
// others are certified by `npm run soak -- certify-examples`, because each takes up to half a minute.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {exampleEndpoints, runEndpoint, SHORT, type ShownCertificate} from './certified-endpoints.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

test.each(exampleEndpoints.slice(0, 1))(
  'the endpoint in $language passes every check, with reports of the same data',
  {timeout: 900_000},
  async endpoint => {
    const {url, folder, flags, stop} = await runEndpoint(endpoint)
    onTestFinished(stop)
    const reports = ['html', 'markdown', 'json'].flatMap(kind => [
      '--report',
      `${kind}=${join(folder, kind)}`,
    ])
    const argv = ['webhook', 'certify', '--to', url, ...SHORT, '--expects', 'none', ...flags, ...reports]
    const shown = await home.json<ShownCertificate>(argv)
    expect(shown.checks.filter(({state}) => state === 'failed')).toEqual([])
    const open = shown.checks.filter(({state}) => state === 'not checked')
    expect(new Set(open.map(({reason}) => reason))).toEqual(
      new Set(['it needs 10000 calls, and --calls was 60']),
    )
    expect(shown.result).toBe('incomplete')
    expect(shown.checks.filter(({basis}) => basis.length === 0).map(({name}) => name)).toEqual([])
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8'))).toEqual(shown)
    const page = await readFile(join(folder, 'html'), 'utf8')
    const markdown = await readFile(join(folder, 'markdown'), 'utf8')
    for (const text of [page, markdown]) {
      expect(text).toContain(shown.sha256)
      expect(text).toMatch(/incomplete: nothing failed, but \d+ of \d+ checks not checked/)
      expect(text).toContain('the same call 20 times at once: decided once')
    }
    expect(page).not.toMatch(/<script|<link|<img|http-equiv="refresh"/i)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(0)
    const changed = (await readFile(join(folder, 'json'), 'utf8')).replace('"incomplete"', '"passed"')
    await writeFile(join(folder, 'json'), changed)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(11)
  },
)
