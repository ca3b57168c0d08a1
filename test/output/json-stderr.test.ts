import {chmod, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let page: Service
let limited: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService(undefined, own =>
    own.status === 200 ? {...own, headers: {...own.headers, 'x-extra': '1'}} : own,
  )
  page = await openService(() => ({
    status: 200,
    headers: {'content-type': 'text/html'},
    body: Buffer.from('<html>Log in</html>'),
  }))
  limited = await openService(() => reply(503, {title: 'Down'}, {'retry-after': '120'}))
  for (const [name, kind, url] of [
    ['prod', 'live', service.url],
    ['staging', 'test', page.url],
    ['down', 'test', limited.url],
    ['nowhere', 'test', 'http://127.0.0.1:1'],
  ] as const) {
    await home.run([
      ...['profiles', 'add', name, '--kind', kind, '--base-url', url],
      ...['--profile-audit-user', 'aino'],
    ])
  }
  const file = (name: string, text: string) => writeFile(join(home.folder, name), text)
  await file('good.csv', 'id,creditLimit\n2001,5000\n')
  await file('part.csv', 'id,creditLimit\n2001,5000\n999999,5000\n')
  await file('bad.csv', 'id,creditLimit\n2001,many\n')
  await file('none.csv', 'id,creditLimit\n')
})
afterAll(async () => {
  await Promise.all([service.close(), page.close(), limited.close()])
  await home.remove()
})

const bulk = (name: string) => `bulk run accounts.patchCredit.v4 --from ${name}.csv`

/** Command lines with their exit codes: results, warnings, and each way to fail. */
const lines: [line: string, code: number, env?: Record<string, string>][] = [
  ['cards get 3001', 0],
  ['cards list --customer 1003', 0],
  ['cards list --customer 1003 --limit 1', 0],
  ['accounts patch 2001 --type credit -F creditLimit=5000', 0],
  ['accounts update-property 2001 DELETE_ADDRESS', 0],
  ['accounts update-property 2001 WRITE_OFF', 2],
  ['accounts update-property 2001 WRITE_OFF --confirm WRITE_OFF', 0],
  ['accounts block 2002 --type debit --yes', 0],
  ['pricelists delete 5002', 2],
  ['cards control-token 3001', 0],
  ['a2a list', 0],
  ['requests list', 0],
  ['audit list', 0],
  ['audit verify', 0],
  ['bulk list', 0],
  ['whoami', 0],
  ['whoami', 0, {CARDCTL_OUPUT: 'json'}],
  ['profiles list', 0],
  ['cards get 3001 --dry-run', 0],
  ['accounts patch 2001 --type credit -F creditLimit=5000 --show-change', 0],
  ['cards get 3001 -p prod', 0],
  ['accounts patch 2001 --type credit -F creditLimit=5000 -p prod', 2],
  ['accounts patch 2001 --type credit -F creditLimit=5000 -p prod --yes', 0],
  [`${bulk('good')} -p prod --yes`, 0],
  ['cards get 999999', 5],
  ['cards gte 3001', 2],
  ['cards get', 2],
  ['cards get 3001 --nope', 2],
  ['cards get 4111111111111111', 2],
  ['cards get 3001 -p nobody', 3],
  ['cards get 3001 --query [', 2],
  ['cards get 3001', 2, {CARDCTL_TIMEOUT: 'soon'}],
  ['cards get 3001 -p staging', 8],
  ['cards get 3001 -p down', 8],
  ['cards get 3001 -p nowhere', 9],
  ['accounts patch 2001 --type credit -F creditLimit=5000 -p staging', 10],
  ['accounts patch 2001 --type credit -F creditLimit=5000 -p nowhere', 9],
  ['requests list -p staging', 0],
  ['accounts patch 2001 --type credit -F creditLimit=50 --idempotency-key k1', 0],
  ['accounts patch 2001 --type credit -F creditLimit=50 --idempotency-key k1', 0],
  [bulk('good'), 0],
  [bulk('part'), 11],
  [bulk('bad'), 2],
  [bulk('none'), 2],
  [`${bulk('none')} --allow-empty`, 0],
  [`${bulk('part')} -p nowhere`, 9],
  [`${bulk('good')} --job-key night`, 0],
  [`${bulk('good')} --job-key night`, 0],
  ['doctor', 0],
  ['data where', 0],
  ['history card 3001', 0],
]

async function run(argv: readonly string[], options: RunOptions = {}) {
  // Rows and files are named as in the folder of the job.
  const placed = argv.map(word => (word.endsWith('.csv') ? join(home.folder, word) : word))
  return home.run(placed, options)
}

describe.each(['json', 'ndjson'])('with -o %s -q', format => {
  it.each(lines)('stderr of %s (exit %i) has JSON lines or nothing', async (...[line, code, env = {}]) => {
    const result = await run([...line.split(' '), '-o', format, '-q'], {env})
    expect([result.code, result.stderr]).toEqual([code, result.stderr])
    const parsed = result.stderr
      .split('\n')
      .filter(text => text !== '')
      .map(text => JSON.parse(text) as Record<string, {code: string; message: string}>)
    for (const each of parsed) {
      const [kind = '', facts] = Object.entries(each)[0] ?? []
      expect(['warning', 'error']).toContain(kind)
      expect(facts).toMatchObject({code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String)})
    }
    expect(parsed.filter(each => each.error !== undefined)).toHaveLength(code === 0 ? 0 : 1)
    if (code === 11) expect(result.stdout).not.toBe('')
  })
})

describe('a config folder', () => {
  it('that others can use is named by a warning with a code', async () => {
    const config = join(home.folder, '.config', 'cardctl')
    await chmod(join(config, 'profiles.json'), 0o644)
    const readable = await run(['whoami', '-o', 'json', '-q'])
    expect(JSON.parse(readable.stderr)).toMatchObject({warning: {code: 'LOOSE_MODE'}})
    await chmod(join(config, 'profiles.json'), 0o600)
    await chmod(config, 0o777)
    const {stderr} = await run(['whoami', '-o', 'json', '-q'])
    expect(JSON.parse(stderr)).toMatchObject({warning: {code: 'LOOSE_MODE'}})
    await chmod(config, 0o700)
  })
})
