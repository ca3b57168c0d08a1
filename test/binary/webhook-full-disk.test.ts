import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {expect, onTestFinished, test} from 'vitest'
import {openCaller, openRecording} from '../../src/webhook/index.ts'
import {BINARY} from '../helpers/binary.ts'
import {callOf} from '../webhook/calls.ts'
import {serveProcess} from '../webhook/serve-process.ts'

test.runIf(process.platform === 'linux')('a full disk costs no authorisation, and is told once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cardctl-full-'))
  onTestFinished(() => rmSync(home, {recursive: true, force: true}))
  // No file may be larger than 256 KiB.
  const {child, url, stderr} = await serveProcess(home, [], {program: BINARY, limit: 'ulimit -f 256'})
  const caller = openCaller({base: new URL(url), deadlineMs: 10_000, now: Date.now})
  for (let call = 0; call < 200; call++) {
    expect((await caller.authorise(callOf('chip', `call-${call}`))).outcome).toBe('approved')
  }
  caller.close()
  child.kill('SIGTERM')
  expect((await once(child, 'close'))[0]).toBe(143)
  const file = join(home, 'webhook', 'events.db')
  using recording = openRecording(file)
  const recorded = [...recording.iterate()].length
  expect(recorded).toBeGreaterThan(3)
  expect(recorded).toBeLessThan(200)
  expect(stderr().match(/NOT RECORDED/g)).toHaveLength(1)
  expect(stderr()).toContain(file)
  expect(stderr()).toContain(`${200 - recorded} are lost`)
})
