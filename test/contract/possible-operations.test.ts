import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {possibleOperations} from '../../src/contract/match.ts'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {runs} from '../helpers/whole.ts'

const all: readonly Operation[] = Object.values(operations)

/** Digits, as the service's ids are: no segment of a path is one. */
const id = fc.integer({min: 1, max: 99_999}).map(String)

/** What servers and proxies undo: percent-encoding, once or twice; another case; slashes; dots; parameters. */
const spelled = (segment: string) =>
  fc.constantFrom(
    segment,
    segment.toUpperCase(),
    segment.toLowerCase(),
    encoded(segment),
    encoded(segment).replaceAll('%', '%25'),
    `${segment};v=1`,
    `./${segment}`,
    `/${segment}`,
    `other/../${segment}`,
    `other/%2e%2E/${segment}`,
    `other%2f..%5c${segment}`,
    `\\${segment}`,
  )

const encoded = (text: string): string =>
  [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('possibleOperations', () => {
  test.each(all.map(operation => [operation.id, operation] as const))(
    'finds %s in every spelling, behind any prefix',
    (_, {id: name, method, path}) => {
      const segments = path.split('/').slice(1)
      const written = fc.tuple(
        ...segments.map(segment =>
          (segment.startsWith('{') ? id : fc.constant(segment)).chain(text => spelled(text)),
        ),
      )
      const prefix = fc.constantFrom('', '/card', '/a/b', '//', '/v1/x')
      const end = fc.constantFrom('', '/', '//', '?a=1', '/?a=/b')
      fc.assert(
        fc.property(prefix, written, end, (before, parts, after) => {
          const found = possibleOperations(method, `${before}/${parts.join('/')}${after}`)
          expect(found.map(({operation}) => operation.id)).toContain(name)
        }),
        {numRuns: runs(50)},
      )
    },
  )

  test('an ordinary path is one operation', () => {
    for (const {id: name, method, path} of all) {
      const found = possibleOperations(method, path.replaceAll(/\{\w+\}/g, '4711'))
      expect(found.map(({operation}) => operation.id)).toEqual([name])
    }
  })

  test("a service's own word is its segment", () => {
    const found = possibleOperations('POST', '/wallet/v1/3001/provision/EXAMPLEPAY', {
      words: {walleta: 'examplepay'},
    })
    expect(found.map(({operation}) => operation.id)).toEqual(['wallets.provisionA.v1'])
  })
})
