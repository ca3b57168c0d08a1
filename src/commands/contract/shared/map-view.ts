import {listAt, textAt} from '../../../output/fields.ts'
import {dim, ok, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, section, sentence, type View, type ViewContext} from '../../../output/view.ts'

const WORDS: Readonly<Record<string, Styled>> = {
  sure: ok('sure'),
  unsure: warn('unsure'),
  impossible: warn("can't be set"),
}

const columns: readonly Column<unknown>[] = [
  {title: 'Built-in name', value: name => builtIn(name), fit: 'wrap', least: 12},
  {title: 'In the document', value: name => inDocument(name), fit: 'wrap', least: 12},
  {title: 'Standing', value: name => WORDS[textAt(name, 'standing')] ?? '', fit: 'keep'},
  {title: 'Why', value: 'why', fit: 'wrap', least: 16},
]

/**
 * What a document calls the words of the built-in contract: what the user must decide, and what a profile can't
 * express.
 */
export const contractMapView: View = async (map, context) => {
  const names = listAt(map, 'names')
  const of = (...standings: readonly string[]): readonly unknown[] =>
    names.filter(name => standings.includes(textAt(name, 'standing')))
  const listed = of('sure', 'unsure', 'impossible')
  const same = of('same').filter(name => textAt(name, 'kind') === 'word')
  return blocks(
    sentence(
      ` The built-in contract and ${textAt(map, 'contract')}, in the profile ${textAt(map, 'profile')}`,
      context,
    ),
    listed.length === 0
      ? sentence(' Every name is as the profile has it.', context)
      : await table('operation', columns, listed, context),
    lines('You know', listAt(map, 'open'), context),
    lines('A profile cannot say', listAt(map, 'unsupported'), context),
    lines('Not in the document', listAt(map, 'operations.missing'), context),
    sentence(dim(` ${summary(same.length, of('absent'))}`), context),
  )
}

function summary(same: number, absent: readonly unknown[]): string {
  const names = absent.map(name => textAt(name, 'name')).join(', ')
  const words = `${same} ${same === 1 ? 'word has' : 'words have'} the same name in both.`
  return absent.length === 0 ? words : `${words} Not described in the document: ${names}.`
}

const builtIn = (name: unknown): string =>
  textAt(name, 'kind') === 'prefix'
    ? `prefix of ${textAt(name, 'name')}`
    : textAt(name, 'kind') === 'service'
      ? titleOf(textAt(name, 'name'))
      : textAt(name, 'name')

/** A setting of how the service talks: `the envelope`, `the header X-Version`, `the error code`. */
export const titleOf = (name: string): string =>
  `the ${name.replace(/^headers\./, 'header ').replace(/^error\./, 'error ')}`

function inDocument(name: unknown): Styled {
  const theirs = textAt(name, 'theirs')
  if (theirs !== '') return theirs
  const candidates = listAt(name, 'candidates').map(one => String(one) || 'none')
  return candidates.length === 0 ? '' : dim(`${candidates.join(' or ')}?`)
}

function lines(title: string, texts: readonly unknown[], context: ViewContext): string | undefined {
  if (texts.length === 0) return undefined
  return section(title, texts.map(text => sentence(` ${String(text)}`, context)).join('\n'), context)
}
