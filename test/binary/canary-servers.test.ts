// What the servers print and keep of calls that hold secrets.
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {canaries, leaksIn} from '../canary/canaries.ts'
import {emptyHome, start, until} from '../helpers/binary.ts'
import {callOf} from '../webhook/calls.ts'

const {pan, pinBlock, controlToken, bearer} = canaries

test.each([
  ['sandbox serve', ['/v4/byCardNumber', '/v3/set', `/v4/${pan}`, `/v9/${pan}?token=${controlToken}`]],
  ['webhook serve', ['/auth', '/warm-up', `/auth/${pan}?token=${controlToken}`]],
] as const)('%s --debug', async (server, paths) => {
  const home = await emptyHome()
  const argv = [...server.split(' '), '--port', '0', '-o', 'ndjson', '--debug']
  const {child, ended, stdout, stderr} = start(home, argv)
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(stderr())
    return /"url":"([^"]+)"/.exec(stdout())?.[1]
  })
  const call = callOf('chip', 'call-1')
  call.merchantData.name = `Shop ${pan}`
  const bodies = [
    JSON.stringify({...call, pan, pinBlock, cvv2: '739'}),
    JSON.stringify({cardNumber: pan, accessToken: controlToken, pinBlock}),
    `{"broken: ${pan}`,
  ]
  const headers = {'content-type': 'application/json', authorization: `Bearer ${bearer}`}
  for (const path of paths) {
    for (const body of bodies) await (await fetch(url + path, {method: 'POST', headers, body})).text()
  }
  child.kill('SIGTERM')
  const {stdout: shown, stderr: said} = await ended
  expect(shown.split('\n').length).toBeGreaterThan(paths.length * bodies.length)
  expect(leaksIn(shown + said)).toEqual([])
  const kept = readdirSync(home, {recursive: true, withFileTypes: true}).filter(
    // The cache holds compiled code, in which the sandbox's first card stands.
    entry => entry.isFile() && !entry.parentPath.includes('.cache'),
  )
  expect(kept.length).toBeGreaterThan(0)
  const leaky = kept.flatMap(({parentPath, name}) =>
    leaksIn(readFileSync(join(parentPath, name))).map(leak => `${leak} in ${name}`),
  )
  expect(leaky).toEqual([])
})
