import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, test} from 'vitest'
import {systemProcesses} from '../../src/sandbox/process-mark.ts'

test('this process is alive, one that ended is not', async () => {
  const {own, isAlive} = systemProcesses()
  expect(isAlive(own)).toBe(true)
  const child = spawn(process.execPath, ['-e', ''], {stdio: 'ignore'})
  await once(child, 'exit')
  expect(isAlive({...own, pid: child.pid ?? 0, started: null})).toBe(false)
})

test('a pid of another boot, or one that was given to another process since, is not the one that was marked', () => {
  const {own, isAlive} = systemProcesses()
  expect(isAlive({...own, boot: 'another'})).toBe(false)
  // Where the system doesn't say when a process started, its pid must do.
  expect(isAlive({...own, started: '1'})).toBe(own.started === null)
})
