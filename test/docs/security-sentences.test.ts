// A claim that no test shows isn't in a page about security.
import {existsSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {sentencesOf} from '../binary/four-eyes-promises.ts'
import {ROOT} from './pages.ts'
import {EXPLAINS, LIMIT, SECURITY_SENTENCES} from './security-sentences.ts'

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

test.each(Object.entries(SECURITY_SENTENCES))(
  'each sentence of %s is in security-sentences.ts, with what shows it',
  (path, listed) => {
    const sentences = sentencesOf(read(path))
    const isOf = (sentence: string, [begins]: (typeof listed)[number]): boolean => sentence.startsWith(begins)
    const unlisted = sentences.filter(sentence => !listed.some(entry => isOf(sentence, entry)))
    const gone = listed.filter(entry => !sentences.some(sentence => isOf(sentence, entry)))
    expect({unlisted, gone}).toEqual({unlisted: [], gone: []})
    const missing = listed
      .map(([, shownBy]) => shownBy)
      .filter(shownBy => shownBy !== EXPLAINS && shownBy !== LIMIT)
      .filter(shownBy => {
        const [file = '', words = ''] = shownBy.split(/: (.*)/)
        // Words that are there more than once would show nothing in particular.
        return !existsSync(`${ROOT}${file}`) || words === '' || read(file).split(words).length !== 2
      })
    expect(missing).toEqual([])
  },
)

test('each row of a table of what is protected names tests that are there', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter(line => /^\|/.test(line) && line.includes('`test/'))
  const named = rows.flatMap(row => [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path))
  expect(rows.length).toBeGreaterThan(18)
  expect(named.filter(path => !existsSync(`${ROOT}${path}`))).toEqual([])
})
