import type {Config} from '@oclif/core/config'
import type {Context} from '../../../cli/context.ts'
import {readDialect} from '../../../dialect/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {proveNewFile, writeNewFile} from '../../../files/named-output.ts'
import {type DraftDialect, doubtsOf, draftDialect, isMapped, writeDraft} from '../../../imported/index.ts'
import {listAt, numberAt, textAt} from '../../../output/fields.ts'
import {dim, escapeText, ok, warn} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {blocks, sentence, type View} from '../../../output/view.ts'
import {askDraft} from './ask-draft.ts'
import {onlyImported, withoutControls} from './compare-contracts.ts'
import {ownContract, readContract} from './read-contract.ts'

/** An operation of the built-in contract in a draft. */
interface DraftedOperation {
  readonly id: string
  /** `sure`: it can be used. `unsure`: it is a comment in the file. `missing`: the document seems to have nothing for it. */
  readonly standing: 'sure' | 'unsure' | 'missing'
  readonly requests: readonly string[]
}

/** A dialect that was drafted from a document. */
interface DraftedDialect {
  readonly contract: string
  readonly file: string
  /** Whether it can be used as it is. */
  readonly usable: boolean
  readonly operations: readonly DraftedOperation[]
  readonly members: {readonly sure: number; readonly unsure: number; readonly missing: number}
}

/**
 * Writes a draft of a dialect for the service of a document. Asks for guesses on a terminal; elsewhere they are comments.
 *
 * @throws Failure USAGE if the document has nothing for any operation; OUTPUT_UNWRITABLE; whatever reading throws
 */
export async function writeDialect(
  context: Context,
  config: Config,
  given: string | undefined,
  file: string,
): Promise<DraftedDialect> {
  if (file === '-')
    throw new Failure('USAGE', {
      message: '--write-dialect takes the name of a new file.',
      hint: 'A dialect is read from a file. To print the draft, write it to one and show that.',
      effect: 'none',
    })
  await proveNewFile(file)
  const contract = given ?? (await onlyImported(context))
  const own = withoutControls(await ownContract(config)).document
  const {name, document} = await readContract(context, contract)
  const found = await context.surroundings.abandonably(async () => draftDialect(own, document))
  if (found.operations.length === 0)
    throw new Failure('USAGE', {
      message: `The document ${escapeText(name)} seems to have no request for any operation of the built-in contract.`,
      hint: 'Its own operations are commands under x, once it is imported.',
      effect: 'none',
    })
  const draft = context.interactive ? await askDraft(found, context.prompter) : found
  const {text, isUsable, left} = await usableText(draft, headOf(name))
  await writeNewFile(file, [text])
  const drafted = summaryOf(draft, left, {contract: name, file, usable: isUsable})
  await context.printer.data(drafted, draftedView)
  if (isUsable)
    context.printer.note(
      `Look at each line of ${file}, then check it: ${context.commandLine('contract', 'check', '--dialect', {value: file})}`,
    )
  else context.printer.warn(`Nothing in ${file} is sure: remove the # before what is right.`)
  return drafted
}

const headOf = (name: string): readonly string[] => {
  const slug = (name.split('/').at(-1) ?? '')
    .toLowerCase()
    .replace(/\.\w+$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return [
    '# A draft of a dialect. What is sure follows from the document; look at it nevertheless.',
    '# What is unsure is a guess, and a comment: remove its "# " if it is right. What is missing seems to have no place there.',
    'dialect: 1',
    `name: ${JSON.stringify(slug.slice(0, 60) || 'draft')}`,
  ]
}

/** The file, with as a comment what the checks of dialects refuse. */
export async function usableText(draft: DraftDialect, head: readonly string[]) {
  const left = new Map<string, string>()
  for (;;) {
    const {text, partAt} = writeDraft(draft, head, left)
    const {problems} = await readDialect(text)
    const before = left.size
    for (const {line, message} of problems) {
      const part = partAt(line) ?? ''
      if (part !== '') left.set(part, message)
    }
    if (left.size === before) return {text, left, isUsable: problems.length === 0}
  }
}

function summaryOf(
  draft: DraftDialect,
  left: ReadonlyMap<string, string>,
  about: Pick<DraftedDialect, 'contract' | 'file' | 'usable'>,
): DraftedDialect {
  const lines = [
    ...[...draft.shapes.values()].flat(),
    ...draft.operations.flatMap(({requests}) => requests.flatMap(({input, output}) => [...input, ...output])),
  ].filter(({ours}) => ours !== '')
  const sure = lines.filter(isMapped).length
  const missing = lines.filter(({at}) => at === undefined).length
  return {
    ...about,
    operations: [
      ...draft.operations.map(({id, requests}): DraftedOperation => {
        const isSure =
          !left.has(`operation ${id}`) &&
          requests.some(one => one.standing === 'sure' && doubtsOf(one, draft).length === 0)
        return {id, standing: isSure ? 'sure' : 'unsure', requests: requests.map(({request}) => request)}
      }),
      ...draft.missing.map(id => ({id, standing: 'missing' as const, requests: []})),
    ],
    members: {sure, unsure: lines.length - sure - missing, missing},
  }
}

const columns: readonly Column<unknown>[] = [
  {title: 'Operation', value: 'id', fit: 'keep'},
  {
    title: 'Standing',
    value: one => (textAt(one, 'standing') === 'sure' ? ok('sure') : warn('unsure')),
    fit: 'keep',
  },
  {
    title: 'Request there',
    value: one => listAt(one, 'requests').map(String).join(', '),
    fit: 'wrap',
    least: 16,
  },
]

const draftedView: View = async (drafted, context) => {
  const all = listAt(drafted, 'operations')
  const found = all.filter(one => textAt(one, 'standing') !== 'missing')
  const count = (standing: string): string => `${numberAt(drafted, `members.${standing}`) ?? 0} ${standing}`
  return blocks(
    await table('operation', columns, found, context),
    sentence(
      [
        ` ${all.length - found.length} operations have nothing there. Members: `,
        ok(count('sure')),
        ', ',
        warn(count('unsure')),
        ', ',
        dim(count('missing')),
      ],
      context,
    ),
  )
}
