import type {Config} from '@oclif/core/config'
import {Failure} from '../../errors/failure.ts'
import type {OperationChange} from '../../imported/index.ts'
import type {Context} from '../context.ts'
import {commandsByOperation, type NamedContract, ownContract, readContract} from './read-contract.ts'

/** An operation that is different, and whom of ours it touches. */
export interface TouchedOperation extends OperationChange {
  readonly commands: readonly string[]
}

export interface ContractDifferences {
  readonly from: string
  readonly to: string
  /** Whether a built-in command can't do its work any more. */
  readonly breaks: boolean
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly deprecated: number
  /** Commands that would fail. */
  readonly broken: readonly string[]
  readonly operations: readonly TouchedOperation[]
}

export interface CompareFlags {
  readonly topic?: readonly string[] | undefined
}

/** Compares the built-in contract with one document, or two documents. Webhooks and controls of the sandbox are left out. */
export async function compareContracts(
  context: Context,
  config: Config,
  [first, second]: readonly [string, string | undefined],
  {topic: topics}: CompareFlags,
): Promise<ContractDifferences> {
  const {compareDocuments, matchOperations} = await import('../../imported/index.ts')
  const own = await ownContract(config)
  const before = withoutControls(second === undefined ? own : await readContract(context, first))
  const after = withoutControls(await readContract(context, second ?? first))
  const {words} = (await context.chosen()).profile
  const known = commandsByOperation(config)
  // Of two documents of a service, the first says by which operations our commands are used with it.
  const ours = new Map(
    second === undefined
      ? []
      : matchOperations(own.document, before.document, {words}).pairs.map(({before: one, after: other}) => [
          `${other.method} ${other.path}`,
          one.operationId ?? '',
        ]),
  )
  const changes = compareDocuments(before.document, after.document, {words, topics})
  const operations = changes.map(
    (change): TouchedOperation => ({
      ...change,
      commands: known.get(second === undefined ? (change.id ?? '') : (ours.get(change.request) ?? '')) ?? [],
    }),
  )
  const broken = operations.filter(({breaks}) => breaks).flatMap(({commands}) => commands)
  const count = (kind: OperationChange['change']): number =>
    operations.filter(({change}) => change === kind).length
  return {
    from: before.name,
    to: after.name,
    breaks: broken.length > 0,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    deprecated: count('deprecated'),
    broken: [...new Set(broken)].sort(),
    operations,
  }
}

/** What a real service describes: not the controls of our own sandbox. */
const withoutControls = ({name, document}: NamedContract): NamedContract => ({
  name,
  document: {
    ...document,
    operations: document.operations.filter(({extensions}) => extensions['x-group'] !== 'sandbox'),
  },
})

/** How the command ends where commands of ours would break; what changed has been printed. */
export function differencesFailure({breaks, broken, to}: ContractDifferences): Failure | undefined {
  if (!breaks) return undefined
  const commands = broken.length === 1 ? 'A command' : `${broken.length} commands`
  return new Failure('COMMANDS_BREAK', {
    message: `${commands} would fail with ${to}: ${broken.join(', ')}.`,
    effect: 'none',
  })
}
