// Ctrl-C reaches a program that we started and us at once; which is heard of first is chance.
import process from 'node:process'
import {expect, it, test} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {exitCode, waitForSameSignal} from '../../src/children/same-signal.ts'
import {runSecretCommand} from '../../src/profiles/run-secret-command.ts'

const turns = () => new Promise(resolve => setTimeout(resolve, 20))

test.each([
  [{code: null, by: 'SIGINT'}, 130],
  [{code: null, by: 'SIGHUP'}, 129],
  [{code: null, by: 'SIGTERM'}, 143],
  // A shell whose program was ended.
  [{code: 130, by: null}, 130],
] as const)('a program that ended by %j is waited on until the signal is here', async (end, code) => {
  expect(exitCode(end)).toBe(code)
  const stop = new AbortController()
  let isHeard = false
  const heard = waitForSameSignal(end, stop.signal).then(() => {
    isHeard = true
  })
  await turns()
  expect(isHeard).toBe(false)
  stop.abort('SIGINT')
  await heard
})

test.each([
  {code: 0, by: null},
  {code: 1, by: null},
  {code: null, by: 'SIGKILL'},
] as const)('nothing is waited for after %j', async end => {
  await waitForSameSignal(end, new AbortController().signal)
})

it('Ctrl-C in a command for a secret is an interruption, not a missing secret', async () => {
  const stop = new AbortController()
  const words = [process.execPath, '-e', 'process.kill(process.pid, "SIGINT")']
  const asked = runSecretCommand(words, childEnvironment(process.env, []), stop.signal).catch(
    (error: unknown) => error,
  )
  const first = await Promise.race([asked, new Promise(resolve => setTimeout(resolve, 500, 'waiting'))])
  expect(first).toBe('waiting')
  stop.abort('SIGINT')
  expect(await asked).toMatchObject({code: 'INTERRUPTED'})
})
