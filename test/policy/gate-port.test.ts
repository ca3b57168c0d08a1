import {chownSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, describe, expect, it} from 'vitest'
import {isGatePort} from '../../src/policy/gate-port.ts'

const scene = mkdtempSync(join(tmpdir(), 'gate-port-'))
afterAll(() => rmSync(scene, {recursive: true}))

const PORT = 8490
const gate = {
  folder: join(scene, '.'),
  callers: [{user: 'robot', kind: 'agent', profile: 'prod', port: PORT}],
} as const

/** What a caller with the user id 1000 takes the port for. */
function taken({owner, listener}: {readonly owner: number; readonly listener: number}) {
  const table = join(scene, 'tcp')
  const local = `0100007F:${PORT.toString(16).toUpperCase()}`
  writeFileSync(
    table,
    `  sl  local_address rem_address   st\n   0: ${local} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  ${listener}        0 1 1\n`,
  )
  chownSync(scene, owner, 0)
  return isGatePort(gate, `127.0.0.1:${PORT}`, 1000, table)
}

// Only root can give a folder away.
describe.skipIf(process.getuid?.() !== 0)('the port of a server of another user', () => {
  it.each([
    ['listens itself', {owner: 990, listener: 990}, 'served'],
    ['does not, and another user does', {owner: 990, listener: 1001}, 'not served'],
    ['is who asks', {owner: 1000, listener: 1000}, 'not served'],
    [
      'is one that a user namespace does not know, as the other is',
      {owner: 65_534, listener: 65_534},
      'not served',
    ],
  ])('whose user %s', (_, who, found) => {
    expect(taken(who)).toBe(found)
  })
})
