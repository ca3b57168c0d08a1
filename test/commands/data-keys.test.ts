// The key of this machine, and which keys of other machines are trusted here.
import {statSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const KEY = 'ffba-ccia-flkf-ajil-gmmn-dcba-oppo-eefa'
const OTHER = 'aaaa-bbbb-cccc-dddd-eeee-ffff-gggg-hhhh'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Key {
  readonly machine: string
  readonly key: string
  readonly isOwn: boolean
}
const keys = (...more: string[]) => home.json<Key[]>(['data', 'keys', ...more])

describe('data keys', () => {
  it('makes the key of this machine once, for its owner alone, and never shows it', async () => {
    const [own] = await keys()
    expect(own).toMatchObject({isOwn: true, key: expect.stringMatching(/^[a-p]{4}(-[a-p]{4}){7}$/)})
    expect(await keys()).toEqual([own])
    expect(statSync(join(home.folder, '.local/share/cardctl/machine.key')).mode & 0o777).toBe(0o600)
    const other = await openHome()
    expect(await other.json(['data', 'keys'])).not.toEqual([own])
    await other.remove()
  })

  it('is the key that data export names', async () => {
    const [own] = await keys()
    await home.run(['accounts', 'limit', '2001', '6', '--type', 'credit'])
    const argv = ['data', 'export', join(home.folder, 'x.age')]
    const {signedBy} = await home.json<{signedBy: string}>(argv, {stdin: 'correct horse battery\n'})
    expect(signedBy).toBe(own?.key)
  })

  it('trusts a key under a name, gives it another one, and forgets it', async () => {
    expect((await keys('--trust', KEY, '--name', 'desk-2'))[1]).toEqual({
      machine: 'desk-2',
      key: KEY,
      isOwn: false,
    })
    expect((await keys('--trust', KEY))[1]?.machine).toBe('desk-2')
    expect((await keys('--trust', KEY, '--name', 'Anna'))[1]?.machine).toBe('Anna')
    expect(await keys('--forget', KEY.toUpperCase())).toHaveLength(1)
    expect(await home.run(['data', 'keys', '--forget', KEY])).toMatchObject({code: 5})
  })

  it('refuses what is no key or name, and one name for two machines', async () => {
    await keys('--trust', KEY, '--name', 'desk-2')
    for (const argv of [
      ['--trust', 'abc'],
      ['--trust', `${KEY}-aaaa`],
      ['--trust', OTHER, '--name', 'desk-2'],
      ['--trust', OTHER, '--name', 'a\u001b[2J'],
      ['--trust', OTHER, '--name', ''],
      ['--name', 'desk-3'],
      ['--trust', OTHER, '--forget', KEY],
    ])
      expect(await home.run(['data', 'keys', ...argv]), argv.join(' ')).toMatchObject({code: 2})
    expect(await keys()).toHaveLength(2)
  })
})
