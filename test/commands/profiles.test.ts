import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const words = (line: string): string[] => line.split(' ')

describe("a profile's quota", () => {
  const rateOf = async (line: string): Promise<unknown> =>
    (await home.json<{rate: unknown}>(words(`profiles ${line}`))).rate

  it('is set by flags, part by part, and taken away again', async () => {
    const add = 'add quota --kind live --base-url https://api.example --audit-user aino'
    expect(await rateOf(`${add} --rate 100/s,6000/min --rate-share 12.5%`)).toEqual({
      perSecond: 100,
      perMinute: 6000,
      share: 0.125,
    })
    expect((await home.run(words('profiles show quota'))).stdout).toContain(
      '100 a second, 6000 a minute; a bulk run takes 12.5 %',
    )
    expect(await rateOf('edit quota --rate 10/s')).toEqual({perSecond: 10, perMinute: 6000, share: 0.125})
    expect(await rateOf('edit quota --unset rate')).toEqual({perSecond: 50, perMinute: 3000, share: 0.2})
  })

  it.each([
    ['--rate x', '--rate takes limits such as'],
    ['--rate 0/s', '--rate takes limits such as'],
    ['--rate 10/h', '--rate of a profile is by the second and the minute'],
    ['--rate 99999/s', 'rate.perSecond must be a whole number from 1 to 10000'],
    ['--rate-share 0%', '--rate-share takes a part'],
    ['--rate-share 101%', '--rate-share takes a part'],
    ['--rate-share 0.2', '--rate-share takes a part'],
  ])('%s is refused', async (flags, message) => {
    await home.run(words('profiles add refused --kind test --base-url https://test.example'))
    const {code, stderr} = await home.run(words(`profiles edit refused ${flags}`))
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

it('remove refuses what cannot be removed before it asks', async () => {
  for (const [name, code] of [
    ['sandbox', 'INPUT_INVALID'],
    ['nowhere', 'PROFILE_NOT_FOUND'],
  ]) {
    const {stderr} = await home.run(['profiles', 'remove', `${name}`])
    expect(stderr).toContain(`Error ${code}: `)
  }
})

it('whoami takes the flag for the audit user, and says that it won', async () => {
  const env = {CARDCTL_AUDIT_USER: 'environment'}
  expect(await home.json(words('whoami --audit-user aino'), {env})).toMatchObject({
    auditUser: 'aino',
    provenance: {auditUser: {value: 'aino', from: 'flag'}},
  })
})
