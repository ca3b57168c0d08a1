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
    const other = await home.run(argv, {
      typed: [
        ['Type 0.0.0.0 to confirm', 'localhost'],
        ['once more', ''],
      ],
    })
    expect(other).toMatchObject({code: 2, stderr: expect.stringContaining('CONFIRMATION_DECLINED')})
    expect(events.filter(({type}) => type === 'auth')).toHaveLength(2)
  })

  it('needs no question where nothing is sent', async () => {
    const argv = [...AUTHORISE.split(' '), '--webhook-url', 'http://hooks.example.com', '--dry-run']
    expect(await home.run(argv)).toMatchObject({code: 0, stdout: expect.stringContaining('"POST"')})
  })
})

describe('sandbox authorize', () => {
  it('has the amount of its scenario unless another is given', async () => {
    const authorize = (...argv: string[]) => home.json(['sandbox', 'authorize', '--card', '3001', ...argv])
    expect(await authorize('--scenario', 'hotel')).toMatchObject({amount: 2400, currency: 'NOK'})
    expect(await authorize('--scenario', 'hotel', '--amount', '5')).toMatchObject({
      amount: 5,
      currency: 'NOK',
    })
    expect(await authorize('--currency', 'JPY')).toMatchObject({amount: 4, currency: 'JPY'})
  })
})

describe('sandbox authorizations show', () => {
  it('has the call to the webhook and its answer', async () => {
    const {url} = await listener()
    const {id} = await home.json<{id: string}>([...AUTHORISE.split(' '), '--webhook-url', url])
    const {stdout} = await home.run(['sandbox', 'authorizations', 'show', id])
    expect(stdout).toContain('Call to the webhook\n {\n   "metadata": {')
    expect(stdout).toMatch(/Its answer, status 200\n \{\n {3}"transactionData": \{\n {5}"authResponseCode"/)
  })

  it('says why there was no answer', async () => {
    const argv = [...AUTHORISE.split(' '), '--webhook-url', 'http://127.0.0.1:1', '-o', 'json']
    const {id} = JSON.parse((await home.run(argv)).stdout) as {id: string}
    const {stdout} = await home.run(['sandbox', 'authorizations', 'show', id])
    expect(stdout).toContain('Its answer\n the endpoint cannot be reached (ECONNREFUSED)')
  })

  it('has neither where no webhook was asked', async () => {
    const {id} = await home.json<{id: string}>(AUTHORISE.split(' '))
    expect((await home.run(['sandbox', 'authorizations', 'show', id])).stdout).not.toContain('Its answer')
  })
})
