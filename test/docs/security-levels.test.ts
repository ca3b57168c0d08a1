// The table of levels in docs/security.md: each promise has a test that attacks it, and each test there is of a promise.
import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {ROOT} from './pages.ts'

/** A sentence of "what is promised" by its first words, and words of the tests that attack it. */
const PROMISES: Readonly<Record<string, readonly (readonly [begins: string, ...shownBy: string[]])[]>> = {
  '1. accidents are stopped': [
    [
      'Only a person who types',
      'test/profiles/loosening.test.ts: gets no neighbour with looser rules than all that name its host',
      'test/commands/loosening.test.ts: the question shows each setting before and after',
      'test/profiles/host-rules.test.ts: keeps those of the loosest, as a whole',
      'test/cli/service-host.test.ts: that a live profile names',
      'test/cli/token-url.test.ts: is looked at again when it is used, and no request goes there',
    ],
    ['An [agent]', 'test/cli/agents.test.ts: a write becomes a proposal'],
    ['Each change of a profile', 'test/commands/loosening.test.ts: each change and each refusal is an entry'],
  ],
  '2. a policy of another user': [
    ['cardctl sends nothing to', 'test/cli/policy-ways.test.ts: lets no request through'],
    ['No command, flag,', 'test/cli/policy-ways.test.ts: imported'],
    ["A policy that can't be", 'test/policy/find-policy.test.ts: refuses a file of the caller'],
  ],
  '3. policy and credential of another user': [
    [
      'No program of the caller',
      'test/soak/gate-users.ts: expectThat',
      'test/commands/gate/serve.test.ts: hands an agent nothing secret',
      'test/commands/gate/day-sums.test.ts: let no caller fill the disk',
    ],
  ],
}

const rows = readFileSync(`${ROOT}docs/security.md`, 'utf8')
  .split('\n')
  .filter(line => /^\| \d\. /.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')

test.each(rows)(
  '%s%s: promises and attacks belong together',
  (_, level = '', __, promised = '', ___, attacked = '') => {
    const listed = PROMISES[level] ?? []
    const sentences = promised.split(/(?<=\.) (?=[A-Z])/)
    const fits = (sentence: string) => listed.filter(([begins]) => sentence.startsWith(begins))
    expect(sentences.filter(sentence => fits(sentence).length !== 1)).toEqual([])
    expect(listed.filter(([begins]) => !sentences.some(sentence => sentence.startsWith(begins)))).toEqual([])
    const shown = listed.flatMap(([, ...all]) => all.map(one => one.split(/: (.*)/) as [string, string]))
    for (const [file, words] of shown) expect(textOf(file)).toContain(words)
    // The page names files, or folders of them.
    const named = [...attacked.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
    const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`)
    expect(shown.map(([file]) => file).filter(file => !named.some(path => isIn(file, path)))).toEqual([])
    expect(named.filter(path => !shown.some(([file]) => isIn(file, path)))).toEqual([])
    expect(
      named.filter(
        path =>
          !existsSync(join(ROOT, path)) || (statSync(join(ROOT, path)).isFile() && !path.endsWith('.ts')),
      ),
    ).toEqual([])
  },
)

test('there are the three levels', () => {
  expect(rows.map(([, level = '']) => level)).toEqual(Object.keys(PROMISES))
})
