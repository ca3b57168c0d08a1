import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {sumsOf} from '../../src/policy/exact-sums.ts'
import {type Asked, decide, type Policy, readPolicy} from '../../src/policy/index.ts'
import type {PolicyFile} from '../../src/policy/policy-file.ts'

const TEXT = `policy: 1
profiles:
  prod:
    hosts: [api.example]
    person:
      read: allow
      write: allow
      destroy: {approvedBy: [bo]}
      sums:
        EUR: {request: 100, day: 250.50}
        SEK: {request: 0, day: 0}
    agent:
      read: allow
      write: {approvedBy: [aino]}
  lab:
    kind: test
    hosts: [lab.example]
    agent: {read: allow, write: allow, sums: {UNSTATED: {request: 5, day: 5}}}
`

async function policyOf(text: string): Promise<Policy> {
  const {policy, problems, lineOf} = await readPolicy(text)
  expect(problems).toEqual([])
  return {
    ...(policy as PolicyFile),
    path: 'p',
    digest: '',
    owner: 'root',
    lineOf: pointer => `p:${lineOf(pointer)}`,
  }
}

const asked = (given: Partial<Asked>): Asked => ({
  ...{profile: 'prod', host: 'api.example', kind: 'live', hasOwnNames: false},
  ...{caller: 'person', user: 'aino', approvedBy: undefined, effects: ['read'], sums: new Map()},
  ...given,
})
const eur = (...values: number[]) => sumsOf(values.map(value => ({name: 'a', value, currency: 'EUR'})))

describe('a policy', () => {
  it.each<[given: Partial<Asked>, allowed: boolean, why: RegExp, line: string]>([
    [{}, true, /read by a person is allowed/, 'p:6'],
    [{effects: ['write'], sums: eur(60, 40)}, true, /allowed/, 'p:7'],
    [
      {effects: ['write'], sums: eur(60, 40.01)},
      false,
      /EUR 100\.01 is above the EUR 100 of a request/,
      'p:10',
    ],
    // What moves back doesn't make less of it.
    [{effects: ['write'], sums: eur(60, -60)}, false, /120/, 'p:10'],
    [{effects: ['write'], sums: eur(0.1, 0.2, 99.7)}, true, /allowed/, 'p:7'],
    [{effects: ['write'], sums: eur(1e-9)}, false, /no plain number/, 'p:10'],
    [{effects: ['write'], sums: eur(Number.MAX_VALUE)}, false, /no plain number/, 'p:10'],
    [
      {effects: ['write'], sums: sumsOf([{name: 'a', value: 0, currency: 'EUR', unlimited: true}])},
      ...([false, /unlimited/, 'p:10'] as const),
    ],
    [{effects: ['write'], sums: new Map([['SEK', 0n]])}, false, /above the SEK 0 of a request/, 'p:11'],
    [{effects: ['write'], sums: new Map([['USD', 1n]])}, false, /no sum for amounts in USD/, 'p:9'],
    [{effects: ['write'], sums: new Map([['UNSTATED', 1n]])}, false, /no sum/, 'p:9'],
    [{effects: ['write'], sums: new Map([['constructor', 1n]])}, false, /no sum/, 'p:9'],
    [{effects: ['write', 'destroy']}, false, /destroy by a person needs an approval/, 'p:8'],
    [{effects: ['destroy'], approvedBy: 'aino'}, false, /needs an approval/, 'p:8'],
    [{effects: ['destroy'], approvedBy: 'bo'}, true, /allowed/, 'p:8'],
    [{effects: ['disclose']}, false, /no line for disclose/, 'p:5'],
    [{effects: ['read', 'unknown']}, false, /no line for unknown/, 'p:5'],
    [{caller: 'job'}, false, /no line for a job/, 'p:3'],
    [{caller: 'agent', effects: ['write']}, false, /needs an approval/, 'p:14'],
    [{profile: 'other'}, false, /no profile other/, 'p:2'],
    [{profile: 'constructor'}, false, /no profile/, 'p:2'],
    [{host: 'api.example:8443'}, false, /may not send to api\.example:8443/, 'p:4'],
    [{kind: 'test'}, false, /is live there, and test here/, 'p:4'],
    [{hasOwnNames: true}, false, /may not have a dialect/, 'p:3'],
    [
      {profile: 'lab', host: 'lab.example', kind: 'test', caller: 'agent', effects: ['write']},
      true,
      /allowed/,
      'p:18',
    ],
  ])('decides %j', async (given, allowed, why, line) => {
    const found = decide(await policyOf(TEXT), asked(given))
    expect(found).toMatchObject({allowed, why: expect.stringMatching(why), line})
  })

  it('never allows what one of the effects has no line for, nor more than its sums', async () => {
    const policy = await policyOf(TEXT)
    const effects = fc.subarray(['read', 'write', 'destroy', 'disclose', 'unknown'] as const, {minLength: 1})
    const amounts = fc.array(fc.double({min: -500, max: 500, noNaN: true}), {maxLength: 4})
    fc.assert(
      fc.property(effects, amounts, fc.boolean(), (effects, values, isApproved) => {
        const {allowed} = decide(
          policy,
          asked({effects, approvedBy: isApproved ? 'aino' : undefined, sums: eur(...values)}),
        )
        if (!allowed) return
        expect(effects.every(effect => effect === 'read' || effect === 'write')).toBe(true)
        expect(values.reduce((sum, value) => sum + Math.abs(value), 0)).toBeLessThanOrEqual(100.000001)
      }),
      {numRuns: 300},
    )
  })
})

it.each<[text: string, problem: RegExp]>([
  ['policy: 2\nprofiles: {}', /policy/],
  ['policy: 1', /profiles/],
  ['policy: 1\nprofiles: {}\nmore: 1', /more/],
  ['policy: 1\nprofiles: {p: {hosts: [a], person: {reed: allow}}}', /reed is not a field/],
  ['policy: 1\nprofiles: {p: {hosts: [a], person: {read: yes}}}', /read/],
  ['policy: 1\nprofiles: {p: {hosts: [a], person: {sums: {EUR: {request: -1, day: 1}}}}}', /request/],
  ['policy: 1\nprofiles: {p: {hosts: [a], person: {sums: {EUR: {request: 1}}}}}', /day/],
  ['policy: 1\nprofiles: {p: {hosts: [a], person: {sums: {EUR: {request: "1,5", day: 1}}}}}', /amount/],
  [
    'policy: 1\nprofiles: {p: {hosts: [a], person: {sums: {euro: {request: 1, day: 1}}}}}',
    /currency such as EUR/,
  ],
  ['policy: 1\nprofiles: {p: {hosts: []}}', /hosts/],
  ['policy: 1\nprofiles: {p: {hosts: [a]}, p: {hosts: [b]}}', /unique/],
  ['policy: 1\nprofiles: {p: {hosts: [a], agent: {write: allow}}}', /write needs a person on a live profile/],
  ['[', /./],
  ['', /./],
])('says where %j is wrong', async (text, problem) => {
  const {policy, problems} = await readPolicy(text)
  expect(policy).toBeUndefined()
  expect(problems.map(({message}) => message).join('\n')).toMatch(problem)
})
