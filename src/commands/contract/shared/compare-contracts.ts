import type {Config} from '@oclif/core/config'
import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {
  commandOfPointer,
  compareDocuments,
  matchOperations,
  type OperationChange,
} from '../../../imported/index.ts'
import {
  commandsByOperation,
  type NamedContract,
  ownContract,
  readContract,
  storedContracts,
} from './read-contract.ts'

export const compareFlags = {
  topic: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'TAG',
    summary: 'Compare only operations with this tag, for example cards or a2a; repeatable.',
  }),
}

/** An operation that differs, and our commands that it affects. */
export interface TouchedOperation extends OperationChange {
  readonly commands: readonly string[]
  /** The command of an imported contract that sends it. */
  readonly imported: string | null
}

export interface ContractDifferences {
  readonly from: string
  readonly to: string
  /** Whether a built-in command no longer works. */
  readonly breaks: boolean
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly deprecated: number
  /** Commands that would fail. */
  readonly broken: readonly string[]
  readonly operations: readonly TouchedOperation[]
}

type CompareFlags = FlagValues<typeof compareFlags>

/** The contract to use if none is named: the only imported one. @throws Failure USAGE */
export async function onlyImported(context: Context): Promise<string> {
  const [first, ...others] = await storedContracts(context)
  if (first !== undefined && others.length === 0) return first.name
  const names = [first, ...others].flatMap(contract => contract?.name ?? [])
  throw new Failure('USAGE', {
    message: names.length === 0 ? 'Nothing to compare with.' : 'Several contracts were imported.',
    hint:
      names.length === 0
        ? advice`Name an OpenAPI document, or import one: ${cardctl('contract', 'import', {value: 'FILE'}, '--name', {value: 'NAME'})}`
        : `Name one of them: ${names.join(', ')}`,
    effect: 'none',
  })
}

/**
 * Compares the built-in contract with one document, or two documents. Leaves out webhooks and controls of the sandbox.
 */
export async function compareContracts(
  context: Context,
  config: Config,
  [given, second]: readonly [string | undefined, string | undefined],
  {topic: topics}: CompareFlags,
): Promise<ContractDifferences> {
  const first = given ?? (await onlyImported(context))
  const own = await ownContract(config)
  const before = withoutControls(second === undefined ? own : await readContract(context, first))
  const after = withoutControls(await readContract(context, second ?? first))
  const {words} = (await context.service.chosen()).profile
  const known = commandsByOperation(config)
  // With two documents of a service, the first one shows which operations our commands use.
  const ours = new Map(
    second === undefined
      ? []
      : matchOperations(own.document, before.document, {words}).pairs.map(({before: one, after: other}) => [
          `${other.method} ${other.path}`,
          one.operationId ?? '',
        ]),
  )
  const imported = new Map<string, string>(
    [after, before].flatMap(({document}) =>
      document.operations.flatMap(({method, path, pointer}) => {
        const command = commandOfPointer(pointer)
        return command === undefined ? [] : [[`${method} ${path}`, command] as const]
      }),
    ),
  )
  const changes = compareDocuments(before.document, after.document, {words, topics})
  const operations = changes.map(
    (change): TouchedOperation => ({
      ...change,
      commands: known.get(second === undefined ? (change.id ?? '') : (ours.get(change.request) ?? '')) ?? [],
      imported: imported.get(change.request) ?? null,
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

/** The operations of a real service, without the controls of our sandbox. */
export const withoutControls = ({name, document}: NamedContract): NamedContract => ({
  name,
  document: {
    ...document,
    operations: document.operations.filter(({extensions}) => extensions['x-group'] !== 'sandbox'),
  },
})

/** The failure if commands of ours would break; the differences were already printed. */
export function differencesFailure({breaks, broken, to}: ContractDifferences): Failure | undefined {
  if (!breaks) return undefined
  const commands = broken.length === 1 ? 'A command' : `${broken.length} commands`
  return new Failure('COMMANDS_BREAK', {
    message: `${commands} would fail with ${to}: ${broken.join(', ')}.`,
    effect: 'none',
  })
}
