import {readFile} from 'node:fs/promises'
import {expect, it} from 'vitest'
import {causes, endBy} from '../helpers/run-endings.ts'

interface Ending {
  readonly cause: string
  /** Texts that both runs print. */
  readonly printed: readonly string[]
  readonly few: number
  readonly many: number
}

const page = await readFile('docs/when-things-go-wrong.md', 'utf8')
const [, section = ''] = page.split('## Why a bulk run ended')
const [table = ''] = section.split('\n## ')
const endings = table
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| cause'))
  .map((line): Ending => {
    const [, cause = '', printed = '', few, many] = line.split('|').map(cell => cell.trim())
    const texts = [...printed.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    return {cause, printed: texts, few: Number(few), many: Number(many)}
  })

it('the table has every cause', () => {
  expect(endings.map(({cause}) => cause)).toEqual(Object.keys(causes))
})

it.each(endings)('$cause', {timeout: 60_000}, async ({cause, printed, few, many}) => {
  const how = causes[cause] ?? {}
  for (const [rows, exit] of [
    [3, few],
    [40, many],
  ] as const) {
    const {code, stderr} = await endBy(how, rows)
    expect([rows, code], stderr).toEqual([rows, exit])
    expect(stderr).not.toMatch(/[.!?][;,:]/)
    for (const text of printed) expect(stderr).toContain(text)
    if (code !== 0 && code !== 17)
      expect(stderr).toMatch(
        /^ {2}(?:.*\. )?Next(?:, (?:when|after) .+?)?: (?:CARDCTL_DATA_DIR=\S+ )?cardctl /m,
      )
  }
})
