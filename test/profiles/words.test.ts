import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {checkWords, neutralWords} from '../../src/profiles/index.ts'
import {contractDocument} from '../helpers/contract.ts'

/** Names of members, anywhere in a document, whose value carries a mark. */
function membersMarked(value: unknown, mark: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const found = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    ...(typeof inner === 'object' && inner !== null && mark in inner ? [name] : []),
    ...membersMarked(inner, mark),
  ])
  return [...new Set(found)]
}

describe('a mapping of neutral words', () => {
  const own = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,20}$/)

  it('is accepted exactly if no two words come to mean the same', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...neutralWords), fc.oneof(own, fc.constantFrom('x', 'y'))),
        words => {
          const meanings = neutralWords.map(word => (Object.hasOwn(words, word) ? words[word] : word))
          const isClear = new Set(meanings).size === meanings.length
          expect(checkWords(words).length === 0).toBe(isClear)
        },
      ),
      {numRuns: 300},
    )
  })

  it('may exchange two words', () => {
    expect(checkWords({walleta: 'walletb', walletb: 'walleta'})).toEqual([])
  })

  it('with a word that another keeps for itself is refused, naming both', () => {
    expect(checkWords({walleta: 'walletb'})).toEqual([
      {member: 'words.walleta', message: expect.stringContaining('walletb')},
    ])
  })

  it.each(['', 'a/b', '..', '.', 'a b', 'a%2fb', 'ä', 'a'.repeat(65), 7, null, ['a']])(
    'to %j is refused',
    value => {
      expect(checkWords({walleta: value})).toHaveLength(1)
    },
  )

  it.each([
    ['waleta', 'walleta'],
    ['NETWORKA', 'NETWORK_A'],
    ['remoteCheckout', 'remotecheckout'],
  ])('for %s suggests %s', (typed, meant) => {
    expect(checkWords({[typed]: 'own'})).toMatchObject([{member: `words.${typed}`, suggestion: meant}])
  })

  it('for a name of JavaScript itself is refused', () => {
    const words = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}') as Record<
      string,
      unknown
    >
    expect(checkWords(words)).toHaveLength(3)
  })
})

describe('the list of neutral words', () => {
  it("holds the contract's neutral segments and members, all and no others", () => {
    const segments = new Set(Object.values(operations).flatMap(({path}) => path.split('/')))
    const isSegment = (word: string): boolean => segments.has(word)
    const marked = membersMarked(contractDocument, 'x-neutral')
    expect(marked.length).toBeGreaterThan(0)
    expect([...neutralWords].filter(word => !isSegment(word)).sort()).toEqual(marked.sort())
    const brandLike = [...segments].filter(word => /wallet[a-z]$|checkout|NETWORK/.test(word))
    expect([...neutralWords].filter(isSegment).sort()).toEqual(brandLike.sort())
  })
})
