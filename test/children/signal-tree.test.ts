import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, it} from 'vitest'
import {isRunning, startOf} from '../../src/children/running.ts'
import {asTree, signalTree} from '../../src/children/signal-tree.ts'

const isAlive = (pid: number): boolean => isRunning(pid) && startOf(pid) !== null

it.skipIf(process.platform !== 'linux')('a shell is killed with what it started', async () => {
  const shell = spawn('sleep 600 & echo $!; wait', {...asTree, stdio: ['ignore', 'pipe', 'ignore']})
  const [line] = await once(shell.stdout, 'data')
  const sleeping = Number(line)
  expect(isAlive(sleeping)).toBe(true)
  signalTree(shell, 'SIGKILL')
  await once(shell, 'close')
  await expect.poll(() => isAlive(sleeping)).toBe(false)
})

it('a shell that has ended is no reason to fail', async () => {
  const shell = spawn('true', {...asTree, stdio: 'ignore'})
  await once(shell, 'close')
  for (const platform of ['linux', 'win32'] as const)
    expect(signalTree(shell, 'SIGKILL', platform)).toBeUndefined()
})

it('on Windows, the shell ends even if its tree cannot be ended', async () => {
  const shell = spawn('exec sleep 600', {...asTree, stdio: 'ignore'})
  signalTree(shell, 'SIGTERM', 'win32')
  expect(shell.killed).toBe(false)
  // There is no taskkill here.
  signalTree(shell, 'SIGKILL', 'win32')
  expect(await once(shell, 'close')).toEqual([null, 'SIGKILL'])
})
