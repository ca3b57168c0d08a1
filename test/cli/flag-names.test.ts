// A value that the contract refuses is named by the flag that was typed, not by the field behind it.
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const run = (line: string) => home.run(line.split(' '), {env: {CARDCTL_PROFILE: 'sandbox'}})

describe('a refused value', () => {
  test.each([
    ['accounts patch 2001 --type credit --credit-limit 6k', '--credit-limit must be a number'],
    ['accounts patch 2001 --type credit --credit-limit 6k --dry-run', '--credit-limit must be a number'],
    ['accounts patch 2001 --type credit -F creditLimit=6k', 'creditLimit must be a number'],
    ['accounts patch 2001 --type credit --name x -F creditLimit=6k', 'creditLimit must be a number'],
    ['pricelists patch 5001 --code=', '--code is empty'],
  ])('%s: %s', async (line, message) => {
    const {code, stderr} = await run(line)
    expect({code, stderr}).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Error CONTRACT_VIOLATION: ${message}`),
    })
  })

  test('is named so in a list of several', async () => {
    const {stderr} = await run('accounts patch 2001 --type credit --credit-limit 6k -F nmae=x')
    expect(stderr).toContain('2 values')
    expect(stderr).toContain('--credit-limit must be a number')
  })
})
