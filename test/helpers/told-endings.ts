// The table "Why a bulk run ended", as what a test compares.
import {readFileSync} from 'node:fs'
import {expect} from 'vitest'
import type {Ending} from './run-endings.ts'

/** A row of the table. */
export interface ToldEnding {
  readonly cause: string
  /** Texts that both runs print. */
  readonly printed: readonly string[]
  readonly few: number
  readonly many: number
}

const page = readFileSync('docs/when-things-go-wrong.md', 'utf8')
const [, section = ''] = page.split('## Why a bulk run ended')
const [table = ''] = section.split('\n## ')
export const toldEndings = table
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| cause'))
  .map((line): ToldEnding => {
    const [, cause = '', printed = '', exits = ''] = line.split('|').map(cell => cell.trim())
    const texts = [...printed.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    const [few, many = few] = exits.split(', ')
    return {cause, printed: texts, few: Number(few), many: Number(many)}
  })

/** A run of few rows and one of many end as the row says. */
export async function expectEnding(
  {printed, few, many}: ToldEnding,
  endOf: (rows: number) => Promise<Ending>,
): Promise<void> {
  for (const [rows, exit] of [
    [3, few],
    [40, many],
  ] as const) {
    const {code, stderr} = await endOf(rows)
    expect([rows, code], stderr).toEqual([rows, exit])
    expect(stderr).not.toMatch(/[.!?][;,:]/)
    for (const text of printed) expect(stderr).toContain(text)
    if (code !== 0 && !stderr.includes('JOB_RUNNING'))
      expect(stderr).toMatch(
        /^ {2}(?:.*\. )?Next(?:, (?:when|after) .+?)?: (?:CARDCTL_DATA_DIR=\S+ )?cardctl /m,
      )
  }
}
