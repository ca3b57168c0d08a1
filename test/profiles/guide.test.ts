import {readFileSync} from 'node:fs'
import {describe, expect, it} from 'vitest'
import {GROUPS} from '../../src/contract/operation.ts'
import {neutralWords} from '../../src/profiles/index.ts'
import {home} from './fixtures.ts'

const guide = readFileSync(new URL('../../docs/profiles.md', import.meta.url), 'utf8')

describe('docs/profiles.md', () => {
  it('shows a file that can be used as it stands', async () => {
    const example = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    using user = home()
    user.writeConfig(example)
    const [sandbox, prod] = await user.profiles().list()
    expect(sandbox).toMatchObject({name: 'sandbox', current: false})
    expect(prod).toMatchObject({name: 'prod', current: true, kind: 'live'})
    const chosen = await user.profiles().choose({})
    expect(chosen).toMatchObject({auditUser: 'Aino Virtanen', bid: 'BID7'})
    // Everything that a profile can hold stands in the example, but what it leaves at its default.
    const shown = await user.profiles().show('prod')
    const written = JSON.parse(example) as {profiles: {prod: object}}
    const members = Object.keys(shown).filter(member => !['name', 'current', 'builtIn'].includes(member))
    expect([...Object.keys(written.profiles.prod), 'allowInsecure'].sort()).toEqual(members.sort())
  })

  const tables = readFileSync(new URL('../../docs/commands/settings.md', import.meta.url), 'utf8')
  it.each([...neutralWords, ...GROUPS.filter(group => group !== 'sandbox')])(
    'names %s in the table of settings',
    word => {
      expect(tables).toContain(`\`${word}\``)
    },
  )
})
