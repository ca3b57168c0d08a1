import {plainTitle, samplesOf, titleOf, titlesOf} from '../../../cli/sheet/column-words.ts'
import {isOtherHeading} from '../../../cli/sheet/noted-columns.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {quotableName} from '../../../rows/problems.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {readTransferHeading, textWords} from './transfer-headings.ts'

/** The text is the only column that may be missing, so a misspelt heading would lose it. */
export function refuseMisspelt(columns: readonly Column[], source: string): void {
  for (const {title} of columns) {
    const name = quotableName(title)
    const meant = isOtherHeading({title}) ? undefined : nearestName(plainTitle(title), textWords)
    if (meant === undefined || name === undefined) continue
    throw new Failure('INPUT_INVALID', {
      message: `${source} has a column ${name}, which is not known here. Did you mean ${meant}?`,
      hint: `Add --map "${name}=text", or --map "${name}=none" to leave it out.`,
      effect: 'none',
    })
  }
}

/**
 * A transfer has one text: what is in `Verwendungszweck 2` beside it would be lost.
 *
 * @throws Failure INPUT_INVALID
 */
export function refuseMoreText(table: Table, columns: readonly Column[], source: string): void {
  const more = columns.filter(column => {
    const [, word = ''] = /^(.*\D)[\s.-]*[2-9]$/.exec(column.title.trim()) ?? []
    return readTransferHeading(word)?.field === 'text' && samplesOf(table, column) !== 'empty'
  })
  if (more.length === 0) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} has more of the texts in ${titlesOf(more)}, and a transfer has one text.`,
    hint: `Put the texts in one column, or add ${more.map(column => `--map "${titleOf(column)}=none"`).join(' ')} to leave it out.`,
    effect: 'none',
  })
}
