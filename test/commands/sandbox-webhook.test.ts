import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {listener} from '../webhook/listener.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const AUTHORISE = 'sandbox authorize --card 3001 --amount 12.50 --currency EUR'

describe('another machine is called without TLS only when its name is typed again', () => {
  it.each([[AUTHORISE], ['sandbox authorizations reverse a_1'], ['sandbox serve --memory']])(
    '%s',
    async line => {
      for (const confirm of ['--yes', '--confirm=hooks.example.org']) {
        const argv = [...line.split(' '), '--webhook-url', 'http://hooks.example.com', confirm]
        const {code, stdout, stderr} = await home.run(argv)
        expect({code, stdout}).toEqual({code: 2, stdout: ''})
        expect(stderr).toContain(
          'Error CONFIRMATION_REQUIRED: hooks.example.com: send calls to another machine than this. Calls would travel there without TLS.',
        )
        expect(stderr).toContain('Add --confirm hooks.example.com; --yes does not cover it.')
      }
      expect(existsSync(join(home.folder, '.local'))).toBe(false)
    },
  )

  // 0.0.0.0 reaches this machine and is no loopback address.
  it('is called then', async () => {
    const {url, events} = await listener()
    const to = `http://0.0.0.0:${new URL(url).port}`
    const argv = [...AUTHORISE.split(' '), '--webhook-url', to]
    expect(await home.json([...argv, '--confirm', '0.0.0.0'])).toMatchObject({decidedBy: 'client'})
    const asked = await home.run(argv, {typed: [['Type 0.0.0.0 to confirm', '0.0.0.0']]})
    expect(asked).toMatchObject({code: 0, stdout: expect.stringContaining('by client')})
    const other = await home.run(argv, {typed: [['Type 0.0.0.0 to confirm', 'localhost']]})
    expect(other).toMatchObject({code: 2, stderr: expect.stringContaining('CONFIRMATION_DECLINED')})
    expect(events.filter(({type}) => type === 'auth')).toHaveLength(2)
  })

  it('needs no question where nothing is sent', async () => {
    const argv = [...AUTHORISE.split(' '), '--webhook-url', 'http://hooks.example.com', '--dry-run']
    expect(await home.run(argv)).toMatchObject({code: 0, stdout: expect.stringContaining('"POST"')})
  })
})
