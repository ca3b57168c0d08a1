import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {generalVariables} from '../../src/cli/environment.ts'
import {helpTopics} from '../../src/cli/help/topics.ts'
import {mayGiveSettings, settingList, variableOf} from '../../src/profiles/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe('flags of the environment', () => {
  it('set the format, which a flag of the command line overrides', async () => {
    const env = {CARDCTL_OUTPUT: 'ndjson'}
    const {stdout} = await home.run(['cards', 'get', '3001'], {env})
    expect(JSON.parse(stdout)).toMatchObject({id: '3001'})
    expect((await home.run(['cards', 'get', '3001', '-o', 'table'], {env})).stdout).toContain('Card 3001')
    expect((await home.run(['cards', 'get', '3001', '--json'], {env})).stdout).toMatch(/^\{\n/)
  })

  it('set the format of errors, also of those in the command line itself', async () => {
    const env = {CARDCTL_OUTPUT: 'json'}
    for (const argv of [
      ['cards', 'get', '999999'],
      ['cards', 'gte'],
      ['cards', 'get', '3001', '--nope'],
    ]) {
      const {stderr} = await home.run(argv, {env})
      expect(JSON.parse(stderr)).toHaveProperty('error.code')
    }
    const table = await home.run(['cards', 'get', '999999', '-o', 'table'], {env})
    expect(table.stderr).toContain('Error NOT_FOUND')
  })

  it.each([
    [{CARDCTL_OUTPUT: 'jsn'}, 'CARDCTL_OUTPUT must be one of', 'Did you mean json?'],
    [{CARDCTL_TIMEOUT: '30'}, 'CARDCTL_TIMEOUT must be a number with ms, s, m, h or d', ''],
    [{CARDCTL_YES: 'maybe'}, 'CARDCTL_YES must be 1 or 0', ''],
  ])('are refused with a wrong value: %j', async (env, message, more) => {
    const {code, stderr} = await home.run(['cards', 'get', '3001'], {env})
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(more)
  })

  it('hide notes with CARDCTL_QUIET', async () => {
    const argv = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5100']
    expect((await home.run(argv)).stderr).not.toBe('')
    expect((await home.run(argv, {env: {CARDCTL_QUIET: '1'}})).stderr).toBe('')
  })
})

describe('CARDCTL_YES', () => {
  const env = {CARDCTL_YES: '1'}

  it('confirms what --yes confirms', async () => {
    expect((await home.run(['pricelists', 'delete', '5002'], {env: {CARDCTL_YES: '0'}})).code).toBe(2)
    expect((await home.run(['pricelists', 'delete', '5002'], {env})).code).toBe(0)
  })

  it('never confirms what can not be undone, nor a deletion on a live profile', async () => {
    const writeOff = ['accounts', 'update-property', '2001', 'WRITE_OFF']
    const {code, stderr} = await home.run(writeOff, {env})
    expect([code, stderr]).toEqual([2, expect.stringContaining('--confirm WRITE_OFF')])
    const live = {
      ...env,
      CARDCTL_BASE_URL: 'https://live.invalid',
      CARDCTL_AUDIT_USER: 'Aino Virtanen',
    }
    for (const argv of [writeOff, ['pricelists', 'delete', '5001']]) {
      const refused = await home.run(argv, {env: live})
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('CONFIRMATION_REQUIRED')])
    }
  })
})

describe('misspelt variables', () => {
  it('are named once, with what was probably meant', async () => {
    const env = {CARDCTL_OUPUT: 'json', CARDCTL_READONLY: '1', CARDCTL_MY_OWN_THING: 'x'}
    const {stderr} = await home.run(['cards', 'list', '--customer', '1003'], {env})
    expect(stderr.match(/There is no variable/g)).toHaveLength(2)
    expect(stderr).toContain('There is no variable CARDCTL_OUPUT. Did you mean CARDCTL_OUTPUT?')
    expect(stderr).toContain('There is no variable CARDCTL_READONLY. Did you mean CARDCTL_READ_ONLY?')
  })

  it('are a JSON line for programs', async () => {
    const {stderr} = await home.run(['whoami', '-o', 'json'], {env: {CARDCTL_TIMOUT: '1s'}})
    expect(JSON.parse(stderr)).toEqual({
      warning: {
        code: 'VARIABLE_UNKNOWN',
        variable: 'CARDCTL_TIMOUT',
        message: 'There is no variable CARDCTL_TIMOUT. Did you mean CARDCTL_TIMEOUT?',
      },
    })
  })
})

describe('whoami', () => {
  it('shows where settings and flags come from', async () => {
    const env = {
      CARDCTL_BASE_URL: 'http://127.0.0.1:1',
      CARDCTL_AUTH: 'bearer',
      CARDCTL_SECRET: 'env:NOWHERE',
      CARDCTL_OUTPUT: 'yaml',
      CARDCTL_TIMEOUT: '9s',
    }
    const result = await home.json(['whoami'], {env})
    expect(result).toMatchObject({
      flags: [{flag: 'timeout', value: 9000, from: 'environment CARDCTL_TIMEOUT'}],
      provenance: {
        settings: [{setting: 'auth.token', value: 'env:NOWHERE', from: 'environment CARDCTL_SECRET'}],
      },
    })
    const {stdout} = await home.run(['whoami', '-o', 'table'], {env})
    expect(stdout).toMatch(/auth\.token +env:NOWHERE {2}by environment CARDCTL_SECRET/)
    expect(stdout).toMatch(/--timeout +9000 {2}by environment CARDCTL_TIMEOUT/)
  })
})

it('every variable that is no setting is in the help', () => {
  const text = helpTopics.environment?.text() ?? ''
  for (const {name} of generalVariables) expect(text).toContain(name)
})

it('no variable of a setting or a flag is overlooked', () => {
  const settings = settingList.flatMap(({setting}) => variableOf(setting) ?? [])
  const flags = generalVariables.flatMap(({name, read}) => (read ? [name] : []))
  const elsewhere = ['CARDCTL_BASE_URL', 'CARDCTL_AUDIT_USER', 'CARDCTL_TOKEN', 'CARDCTL_STRICT']
  const overlooked = [...settings, ...flags].filter(name => !mayGiveSettings({[name]: '1'}))
  expect([...new Set(overlooked)].sort()).toEqual(elsewhere.sort())
})
