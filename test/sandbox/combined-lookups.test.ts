import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {CombinedLookups} from '../../src/sandbox/combined-lookups.ts'

/** Everything that begins with `real` exists. */
function lookups(times = {foundMs: 60_000, missingMs: 60_000}) {
  const asked: (readonly string[])[] = []
  const found = new CombinedLookups<string>({
    find: async keys => {
      asked.push(keys)
      await pause(5)
      return new Map(keys.filter(key => key.startsWith('real')).map(key => [key, `${key}!`]))
    },
    ...times,
  })
  return {found, asked}
}

test('many keys at once share few questions, and each gets its own answer', async () => {
  const {found, asked} = lookups()
  const keys = Array.from({length: 2_500}, (_, at) => `${at % 5 === 0 ? 'real' : 'none'}-${at}`)
  const answers = await Promise.all(keys.map(key => found.get(key)))
  expect(answers).toEqual(keys.map(key => (key.startsWith('real') ? `${key}!` : undefined)))
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(asked.flat().sort()).toEqual([...keys].sort())
})

test('what is known is not asked again, whether it exists or not, until its time is over', async () => {
  const {found, asked} = lookups()
  const all = () => Promise.all(['real', 'none', 'none', 'real'].map(key => found.get(key)))
  const answers = ['real!', undefined, undefined, 'real!']
  expect([await all(), await all(), await all()]).toEqual([answers, answers, answers])
  expect(asked.flat().sort()).toEqual(['none', 'real'])
  const forgetful = lookups({foundMs: 0, missingMs: 0})
  expect([await forgetful.found.get('real'), await forgetful.found.get('real')]).toEqual(['real!', 'real!'])
  expect(forgetful.asked).toEqual([['real'], ['real']])
})

test('made-up keys displace none that exist', async () => {
  const {found, asked} = lookups()
  await found.get('real')
  await Promise.all(Array.from({length: 10_500}, (_, at) => found.get(`none-${at}`)))
  await found.get('real')
  expect(asked.flat().filter(key => key === 'real')).toHaveLength(1)
})

test('a question that fails is asked again with the next request', async () => {
  let fails = true
  const found = new CombinedLookups<string>({
    find: async keys => {
      if (fails) throw new Error('away')
      return new Map(keys.map(key => [key, key]))
    },
    foundMs: 1000,
    missingMs: 1000,
  })
  const both = await Promise.allSettled([found.get('a'), found.get('a')])
  expect(both.map(({status}) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await found.get('a')).toBe('a')
})
