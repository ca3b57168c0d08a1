// A run whose launcher is killed for good: bin/run.js under an older Node, the process that a schedule knows.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import {emptyHome, plainEnv} from '../helpers/binary.ts'
import {openService} from '../helpers/service.ts'
import {updated} from '../helpers/team.ts'

const CHILD = fileURLToPath(new URL('../../bin/child.js', import.meta.url))

test('a run whose launcher is gone ends its rows, and says what ended it', async () => {
  const arrived = Promise.withResolvers<undefined>()
  const service = await openService(async ({url, method}) => {
    if (method === 'GET') return undefined
    arrived.resolve(undefined)
    await new Promise(resolve => setTimeout(resolve, 500))
    return updated({url})
  })
  onTestFinished(() => service.close())
  const home = await emptyHome()
  const argv = ['bulk', 'run', 'pricelists.patch.v1', '--from', '-', '--concurrency', '1', '--yes']
  const child = spawn(process.execPath, [CHILD, ...argv], {
    env: plainEnv(home, {
      CARDCTL_BASE_URL: service.url,
      CARDCTL_KIND: 'sandbox',
      CARDCTL_AUDIT_USER: 'night',
    }),
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  })
  child.stdin?.end('id,code\n5001,1\n5002,2\n5003,3\n')
  const stderr = child.stderr === null ? '' : text(child.stderr)
  await arrived.promise
  child.disconnect()
  const [code] = await once(child, 'exit')
  expect(await stderr).toMatch(
    /^Error TERMINATED: The end of the process that started it ended the run after the rows on their way had ended: 1 of 3/m,
  )
  expect(code).toBe(143)
}, 60_000)
