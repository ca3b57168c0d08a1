import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const APP = '-F clientAppID=app -F clientDeviceID=d1 -F clientWalletAccountID=w1'
const provision = (line: string) => home.run(['wallets', 'provision', ...line.split(' ')])

describe('wallets provision', () => {
  it.each(['-1', '-6'])('takes the test card %s of a wallet vendor as an argument', async card => {
    for (const line of [`${card} --wallet walletb ${APP}`, `--wallet walletb ${APP} -- ${card}`]) {
      const {code, stdout} = await provision(
        `${line} -o json`.replace(` -- ${card} -o json`, ` -o json -- ${card}`),
      )
      expect(code).toBe(0)
      const {digitizationData} = JSON.parse(stdout)
      // Well-formed, and plainly a test.
      expect(JSON.parse(Buffer.from(digitizationData, 'base64').toString())).toMatchObject({
        sandbox: true,
        cardId: card,
      })
    }
  })

  it('knows no other card below zero', async () => {
    expect((await provision(`-7 --wallet walletb ${APP}`)).code).toBe(5)
  })

  it('sends a provider with issuerwallet, and no body', async () => {
    const preview = await provision('3001 --wallet issuerwallet --provider shop:wallet --dry-run')
    const {url, body} = JSON.parse(preview.stdout)
    expect(new URL(url).pathname).toBe('/v1/3001/provision/issuerwallet/shop%3Awallet')
    expect(body).toBeUndefined()
    const refused = await provision('3001 --wallet issuerwallet --provider shop -F a=b')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('takes no fields')
  })

  it('gives an opaque card only with a session', async () => {
    const asked = `3001 --wallet walletb ${APP} -F opaquePaymentCardRequested=true`
    const refused = await provision(asked)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('serverSessionId')
    const {stdout} = await provision(`${asked} -F serverSessionId=${crypto.randomUUID()} -o json`)
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(['digitizationData', 'opaquePaymentCard'])
  })

  it('tells in the words of the service why a card cannot be provisioned', async () => {
    const {code, stderr} = await provision(`3002 --wallet walletb ${APP}`)
    expect(code).toBe(6)
    expect(stderr).toContain('Only a card with status CARD_OK can be provisioned')
  })

  it.each([
    ['3001'],
    ['3001 --wallet walletd'],
    ['3001 --wallet issuerwallet'],
    ['3001 --wallet walletb --provider shop'],
    ['3001 --wallet walleta'],
    ['3001 --wallet walletc -F clientAppID=app'],
    ['card --wallet issuerwallet --provider shop'],
    ['--wallet walletb'],
  ])('%s is refused before anything is sent', async line => {
    const {code, stdout} = await provision(line)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it.each(['walleta', 'walletb', 'walletc'])('has a skeleton of the body for %s', async wallet => {
    const {code, stdout} = await provision(`3001 --wallet ${wallet} --skeleton`)
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(stdout)).length).toBeGreaterThan(1)
  })
})
