import type {Config} from '@oclif/core/config'
import type {Context} from '../../../cli/context.ts'
import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {type DescribedRequest, type Dialect, loadDialect} from '../../../dialect/index.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {type DocumentOperation, fieldsOf, type ImportedDocument} from '../../../imported/index.ts'
import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {listAt, textAt} from '../../../output/fields.ts'
import {dim, type Styled, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, section, sentence, type View, type ViewContext} from '../../../output/view.ts'
import {commandsByOperation, ownContract} from './read-contract.ts'

/** How a service carries out an operation, by its dialect. */
interface ShownOperation {
  readonly id: string
  readonly commands: readonly string[]
  /** `mapped`, `cannot`, or `unsaid` if the dialect doesn't name it. */
  readonly state: 'mapped' | 'cannot' | 'unsaid'
  readonly cannot: string | null
  readonly requests: readonly DescribedRequest[]
  /** Members of ours without a place. */
  readonly unplaced: {readonly request: readonly string[]; readonly result: readonly string[]}
}

interface ShownDialect {
  readonly dialect: string
  readonly file: string
  readonly operations: readonly ShownOperation[]
}

/** The dialect of the profile, or the one in a file. @throws Failure USAGE if there is none */
export async function chosenDialect(
  context: Context,
  given: string | undefined,
): Promise<{readonly file: string; readonly dialect: Dialect}> {
  const {name, profile} = await context.service.chosen()
  const file = given ?? profile.dialect
  if (file !== undefined) return {file, dialect: await loadDialect(file)}
  throw new Failure('USAGE', {
    message: `The profile ${name} has no dialect.`,
    hint: 'Name a file, or choose a profile with -p.',
    effect: 'none',
  })
}

/**
 * What a dialect says of the operations of the built-in contract.
 *
 * @param words a dialect file, an operation, both or neither
 * @throws Failure USAGE, NOT_FOUND
 */
export async function showDialect(
  context: Context,
  config: Config,
  words: readonly string[],
): Promise<ShownDialect> {
  const [first = ''] = words
  const isFile = /\.(?:ya?ml|json)$/i.test(first)
  const {file, dialect} = await chosenDialect(context, isFile ? first : undefined)
  const {document} = await ownContract(config)
  const commands = commandsByOperation(config)
  const shown = Object.values<Operation>(operations)
    .filter(({group}) => group !== 'sandbox')
    .map(({id}) => {
      const own = document.operations.find(({operationId}) => operationId === id)
      const requests = dialect.requests(id)
      const cannot = dialect.cannot(id) ?? null
      return {
        id,
        commands: commands.get(id) ?? [],
        state: requests.length > 0 ? 'mapped' : cannot === null ? 'unsaid' : 'cannot',
        cannot,
        requests,
        unplaced:
          own === undefined || requests.length === 0
            ? {request: [], result: []}
            : unplaced(own, requests, document.schemas),
      } as const
    })
  const wanted = words.slice(isFile ? 1 : 0).join(' ')
  const found = shown.filter(one => wanted === '' || one.id === wanted || one.commands.includes(wanted))
  if (found.length > 0) return {dialect: dialect.name, file, operations: found}
  const near = nearestName(
    wanted,
    shown.flatMap(({id, commands: names}) => [id, ...names]),
  )
  throw new Failure('NOT_FOUND', {
    message: `The built-in contract has no operation ${wanted}.`,
    hint: near === undefined ? advice`See ${cardctl('contract', 'list')}` : `Did you mean ${near}?`,
    effect: 'none',
  })
}

function unplaced(
  {parameters, body, replies}: DocumentOperation,
  requests: readonly DescribedRequest[],
  schemas: ImportedDocument['schemas'],
): ShownOperation['unplaced'] {
  const members = (contents: DocumentOperation['replies'][number]['contents'] = []): string[] => {
    const names = fieldsOf(contents[0]?.schema, schemas)
      .filter(({name}) => name !== '')
      .map(({name}) => `/${name.replaceAll('[]', '.*').replaceAll('.', '/').replace(/^\//, '')}`)
    return names.filter(name => !names.some(other => other.startsWith(`${name}/`)))
  }
  const without = (all: readonly string[], side: 'input' | 'output'): string[] => {
    const placed = requests.flatMap(one => one[side].map(({ours}) => ours.replaceAll(/\/\[[^\]]*\]/g, '/*')))
    return all.filter(
      name =>
        !placed.some(ours => name === ours || name.startsWith(`${ours}/`) || ours.startsWith(`${name}/`)),
    )
  }
  const success = replies.find(({status}) => status.startsWith('2'))
  return {
    request: without(
      [
        // The audit user goes where the profile says, the key where the dialect does.
        ...parameters
          .filter(one => one.in !== 'header' && one.name !== 'auditUser')
          .map(one => `${one.in}:${one.name}`),
        ...members(body?.contents),
      ],
      'input',
    ),
    result: without(members(success?.contents), 'output'),
  }
}

const columns: readonly Column<unknown>[] = [
  {title: 'Operation', value: 'id', fit: 'keep'},
  {title: 'Request there', value: operation => requestThere(operation), fit: 'wrap', least: 16},
  {title: 'Without a place', value: operation => dim(withoutPlace(operation)), fit: 'wrap', least: 12},
]

export const dialectView: View = async (shown, context) => {
  const all = listAt(shown, 'operations')
  const [only, another] = all
  const title = sentence(` ${textAt(shown, 'dialect')}, ${textAt(shown, 'file')}`, context)
  if (only !== undefined && another === undefined) return blocks(title, ...one(only, context))
  const count = (state: string): number => all.filter(each => textAt(each, 'state') === state).length
  return blocks(
    title,
    await table('operation', columns, all, context),
    sentence(
      ` ${count('mapped')} mapped, ${count('cannot')} not possible there, ${count('unsaid')} not in the dialect`,
      context,
    ),
  )
}

function requestThere(operation: unknown): Styled {
  switch (textAt(operation, 'state')) {
    case 'mapped':
      return listAt(operation, 'requests')
        .map(request => textAt(request, 'request'))
        .join(', ')
    case 'cannot':
      return warn(`can't: ${textAt(operation, 'cannot')}`)
    default:
      return dim('not in the dialect')
  }
}

const MOST = 6

/** The outermost names: one operation shows each member. */
function withoutPlace(operation: unknown): string {
  const all = ['request', 'result'].flatMap(side => listAt(operation, `unplaced.${side}`).map(String))
  const names = [...new Set(all.map(place => place.replace(/^\/(?:\*\/)?([^/]*).*$/, '$1')))]
  return names.length <= MOST
    ? names.join(', ')
    : `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more`
}

function one(operation: unknown, context: ViewContext): readonly string[] {
  const rows = (places: readonly unknown[]): DetailRow[] =>
    places.map(place => {
      const as = textAt(place, 'as')
      return [
        textAt(place, 'ours') || '(the body)',
        [textAt(place, 'theirs') || 'not from theirs', ...(as === '' ? [] : [dim(`  ${as}`)])],
      ]
    })
  const part = (title: string, lines: readonly DetailRow[]): string[] =>
    lines.length === 0 ? [] : [section(title, labelledText(lines, context), context)]
  const names = (side: string): DetailRow[] =>
    listAt(operation, `unplaced.${side}`).map(name => [String(name), ''])
  return [
    sentence([` ${textAt(operation, 'id')}  `, requestThere(operation)].flat() as Styled, context),
    ...listAt(operation, 'requests').flatMap(request => [
      ...part(`Input of ${textAt(request, 'request')}`, rows(listAt(request, 'input'))),
      ...part('Result', rows(listAt(request, 'output'))),
    ]),
    ...part('Input without a place: refused if given', names('request')),
    ...part('Result without a place: not shown', names('result')),
  ]
}
