import {describe, expect, it} from 'vitest'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {gate} from '../../src/profiles/index.ts'
import {failureOf} from './fixtures.ts'

const all: readonly Operation[] = Object.values(operations)
const service = all.filter(({group}) => group !== 'sandbox')
const target = (kind: 'sandbox' | 'test' | 'live', readOnly = false) => ({name: 'one', kind, readOnly})

/** What the gate answers: free, confirm, or the code of its refusal. */
async function answer(...parameters: Parameters<typeof gate>): Promise<string> {
  try {
    return gate(...parameters)
  } catch {
    return (await failureOf(() => gate(...parameters))).code
  }
}

describe('the gate', () => {
  it.each(service.map(operation => [operation.id, operation] as const))('of %s', async (_, operation) => {
    const isRead = operation.effect === 'read'
    const allowV2 = true
    expect(await answer(target('sandbox'), operation)).toBe('free')
    expect(await answer(target('test'), operation)).toBe('free')
    expect(await answer(target('live'), operation, {allowV2})).toBe(isRead ? 'free' : 'confirm')
    for (const kind of ['sandbox', 'test', 'live'] as const) {
      expect(await answer(target(kind, true), operation, {allowV2})).toBe(isRead ? 'free' : 'GATE_REFUSED')
    }
  })

  it('refuses deprecated PIN operations on live profiles without --allow-v2, and nothing else for its age', async () => {
    const refused = []
    for (const operation of service) {
      if ((await answer(target('live'), operation)) === 'GATE_REFUSED') refused.push(operation.id)
    }
    expect(refused.sort()).toEqual(['pin.set.v2', 'pin.tzpk.v2', 'pin.view.v2'])
    const failure = await failureOf(() => gate(target('live'), operations['pin.view.v2']))
    expect(failure).toMatchObject({
      code: 'GATE_REFUSED',
      exit: 3,
      hint: expect.stringContaining('--allow-v2'),
    })
  })

  it("lets the sandbox's controls pass on a sandbox only", async () => {
    const controls = all.filter(({group}) => group === 'sandbox')
    expect(controls.length).toBeGreaterThan(0)
    for (const control of controls) {
      expect(await answer(target('sandbox'), control)).toBe('free')
      expect(await answer(target('test'), control)).toBe('GATE_REFUSED')
      expect(await answer(target('live'), control)).toBe('GATE_REFUSED')
    }
  })

  it.each([
    ['write', false, false, 'PROFILE_NOT_CHOSEN'],
    ['destroy', false, false, 'PROFILE_NOT_CHOSEN'],
    ['read', false, false, 'free'],
    ['disclose', false, false, 'free'],
    ['write', true, false, 'free'],
    ['write', false, true, 'free'],
  ] as const)(
    'for a %s, terminal %s, profile chosen %s: %s',
    async (effect, interactive, explicit, expected) => {
      const operation = service.find(one => one.effect === effect)
      if (operation === undefined) throw new Error(`No operation has the effect ${effect}.`)
      expect(await answer(target('sandbox'), operation, {interactive, explicit})).toBe(expected)
    },
  )

  it('names the profile and the reason', async () => {
    const failure = await failureOf(() => gate(target('test', true), operations['pricelists.delete.v1']))
    expect(failure.message).toContain('one is read-only')
    expect(failure.message).toContain('destroys something')
    expect(failure.details.effect).toBe('none')
  })
})
