import {format, inspect} from 'node:util'
import {deserialize, serialize} from 'node:v8'
import {describe, expect, test} from 'vitest'
import {MASK, Secret} from '../../src/sensitive/secret.ts'

const VALUE = 'canary-7f3a'
const secret = new Secret(VALUE)
const nested = {level: [{secret}], map: new Map([[secret, secret]])}

describe('a Secret shows its mask', () => {
  const ways: Record<string, () => string> = {
    template: () => `${secret}`,
    'toString itself': () => secret.toString(),
    concatenation: () => `x${String(secret)}`,
    'plus sign': () => ['a', secret].join('+'),
    JSON: () => JSON.stringify({secret, list: [secret]}),
    'JSON of the bare value': () => JSON.stringify(secret),
    'util.format %s': () => format('%s', secret),
    'util.format %o': () => format('%o', secret),
    'util.format %O': () => format('%O', nested),
    'util.format %j': () => format('%j', nested),
    'util.format with no directive': () => format(secret, nested),
    inspect: () => inspect(nested, {depth: null, showHidden: true}),
    'inspect without the custom hook, getters on': () =>
      inspect(secret, {customInspect: false, showHidden: true, getters: true}),
    'an error that carries it': () => inspect(new Error(`bad ${secret}`, {cause: secret})),
    'own keys': () => JSON.stringify([Object.entries(secret), Reflect.ownKeys(secret)]),
    spread: () => inspect({...secret}),
  }
  for (const [way, show] of Object.entries(ways)) {
    test(way, () => {
      expect(show()).not.toContain('canary')
    })
  }

  test('as the same word everywhere', () => {
    expect([`${secret}`, secret.toString(), format('%s', secret), inspect(secret)]).toEqual(
      Array(4).fill(MASK),
    )
    expect(JSON.parse(JSON.stringify({secret}))).toEqual({secret: MASK})
    expect(Number(secret)).toBeNaN()
  })

  test('also around a Buffer, whose bytes would print as hex', () => {
    const bytes = new Secret(Buffer.from(VALUE))
    const shown = inspect({bytes}, {showHidden: true}) + JSON.stringify({bytes}) + format('%s', bytes)
    expect(shown).not.toContain('canary')
    expect(shown).not.toContain(Buffer.from(VALUE).toString('hex').slice(0, 4))
    expect(shown).not.toContain('99')
  })
})

test('cloning and serialising copy nothing', () => {
  const clones = [structuredClone({secret}), deserialize(serialize({secret})) as unknown]
  for (const clone of clones) {
    expect(inspect(clone, {depth: null, showHidden: true})).not.toContain('canary')
  }
  expect(serialize({secret}).includes(VALUE)).toBe(false)
})

test('open hands the value out', () => {
  expect(secret.open()).toBe(VALUE)
})

describe('wiping', () => {
  test('overwrites the bytes and closes the secret', () => {
    const bytes = Buffer.from('1234')
    const pin = new Secret(bytes)
    pin.wipe()
    expect(bytes).toEqual(Buffer.alloc(4))
    expect(() => pin.open()).toThrow('wiped')
  })

  test('happens at the end of a using block', () => {
    const bytes = Buffer.from('1234')
    {
      using pin = new Secret(bytes)
      expect(pin.open().toString()).toBe('1234')
    }
    expect(bytes).toEqual(Buffer.alloc(4))
  })

  test('leaves a string, which cannot be wiped, usable', () => {
    const password = new Secret('p')
    password.wipe()
    expect(password.open()).toBe('p')
  })
})
