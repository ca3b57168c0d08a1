import type {Job} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {deprecationOf} from '../../../cli/operation-command.ts'
import type {Effect, Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {BY_TYPE} from '../../accounts/shared/account-type.ts'
import {findOperation, importedOperation, openContracts} from '../../x/shared/contracts.ts'
import {refusePart, sentBy} from './part-of-another.ts'
import {typeInFile, type UntypedFile} from './type-in-file.ts'

const all: Readonly<Record<string, Operation>> = operations

/** The operation with this id, if it may run in bulk. @throws Failure USAGE, GATE_REFUSED */
export async function bulkOperation(context: Context, id: string): Promise<Operation> {
  const operation = await findOperationOf(context, id)
  if (operation !== undefined) return mayRunInBulk(operation)
  if (isImported(id)) throw noContract(id, (await context.service.chosen()).name)
  const meant = nearestName(id, Object.keys(all))
  throw new Failure('USAGE', {
    message: `${id} is neither an operation of the contract nor a command that sends one.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: advice`For example: ${cardctl('bulk', 'run', {value: 'accounts.patchCredit.v4'}, '--from', {value: 'FILE'})}. To see the operations: ${cardctl('contract', 'list')}`,
  })
}

const isImported = (id: string): boolean => id.startsWith('x:')

const findOperationOf = async (context: Context, id: string): Promise<Operation | undefined> =>
  isImported(id) ? (await importedOperation(context, id, {rows: true}))?.operation : all[id]

/** @throws Failure GATE_REFUSED, USAGE */
function mayRunInBulk(operation: Operation): Operation {
  const {id, effect, topic, form} = operation
  if (isSecret(operation)) {
    throw new Failure('GATE_REFUSED', {
      message: `${id} takes or discloses secret values, which bulk jobs never handle.`,
      hint: 'Use its own command, once for each.',
    })
  }
  if (topic === 'a2a' && effect !== 'read') {
    throw new Failure('GATE_REFUSED', {
      message: `${id} moves money in batches of its own.`,
      hint: advice`Use ${cardctl('a2a', 'create', '--from', {value: 'FILE'})}`,
    })
  }
  if (form?.rows?.takesFile) {
    throw new Failure('USAGE', {
      message: `${id} takes a file as its body, which rows cannot hold.`,
      hint: 'Use its own command, once for each.',
    })
  }
  return operation
}

const noContract = (id: string, profile: string): Failure =>
  new Failure('USAGE', {
    message: `The profile ${profile} has no imported contract with ${id}.`,
    hint: advice`See ${cardctl('contract', 'list')} and ${cardctl('x')}`,
    effect: 'none',
  })

/** Of an imported operation rows fill what is no secret, and secrets in responses are masked. */
const isSecret = ({effect, sensitive, form}: Operation): boolean =>
  effect === 'disclose' ||
  (form === undefined
    ? sensitive.request.length > 0 || sensitive.reply.length > 0
    : form.rows?.parameters.some(({sensitive: hidden, required}) => hidden && required) === true)

/**
 * The operation of a job that is to be continued.
 *
 * @throws Failure DESCRIPTION_CHANGED if the profile has another document now: rows would be other requests.
 */
export async function operationOfJob(
  context: Context,
  {id, operation, settings}: Pick<Job, 'id' | 'operation' | 'settings'>,
): Promise<Operation> {
  if (!isImported(operation)) return bulkOperation(context, operation)
  const found = await findOperationOf(context, operation)
  if (found !== undefined && found.form?.rows?.digest === settings.contract) return mayRunInBulk(found)
  const [, name = ''] = /^x:([^/]+)/.exec(operation) ?? []
  const {name: profile} = await context.service.chosen()
  throw new Failure('DESCRIPTION_CHANGED', {
    message: `Bulk job ${id} runs ${operation} by another document than the profile ${profile} has now. Nothing was sent.`,
    hint: advice`Import that document again: ${context.commandLine('contract', 'import', {value: 'FILE'}, '--name', {value: name})}. Or give up the rows that are left: ${context.commandLine('bulk', 'cancel', {value: id})}`,
    effect: 'none',
  })
}

/** The effect of a job's operation; of an imported one, what it was when the job began. */
export const effectOfJob = (job: Pick<Job, 'operation' | 'settings'>): Effect =>
  // The settings of a shared job may be encrypted with another key.
  all[job.operation]?.effect ?? job.settings.effect ?? 'write'

/** What says more of an operation that is named by its command. */
export interface NamingFlags {
  readonly type?: string | undefined
  readonly contract?: string | undefined
  /** The file, of which a column may say the type. */
  readonly file?: UntypedFile | undefined
  /** Told of an answer, as the flag that gives it. */
  readonly answered?: ((flag: string, value: string) => void) | undefined
}

/**
 * The id of the operation that words name: an id, the words of a command, or `x TAG COMMAND`. Warns if it is deprecated.
 *
 * @throws Failure USAGE
 */
export async function namedOperation(
  context: Context,
  config: {findCommand(id: string): unknown},
  words: readonly string[],
  flags: NamingFlags,
): Promise<string> {
  const id = await idOfWords(context, config, words, flags)
  const operation = all[id]
  const deprecation = operation && deprecationOf(operation)
  if (deprecation !== undefined) context.printer.warn(deprecation, {code: 'DEPRECATED'})
  return id
}

/** What is wrong with an answer that names an operation, before anything else is asked. @throws Failure USAGE, GATE_REFUSED */
export async function refuseAnswered(
  context: Context,
  config: {findCommand(id: string): unknown},
  answer: string,
): Promise<void> {
  const words = answer.trim().split(/\s+/)
  if (words[0] === 'x') return
  refusePart(config, words)
  const {claims = [], sendsAs} = sentBy(config, words)
  const ids = claims.length > 0 ? claims : ((sendsAs && sentBy(config, sendsAs).claims) ?? [])
  await bulkOperation(context, usableOf(ids)[0] ?? ids[0] ?? words.join(' '))
}

const usableOf = (claims: readonly string[]): readonly string[] =>
  claims.filter(id => all[id] !== undefined && !all[id].deprecated && !isSecret(all[id]))

async function idOfWords(
  context: Context,
  config: {findCommand(id: string): unknown},
  words: readonly string[],
  {type, contract, file, answered}: NamingFlags,
): Promise<string> {
  const [topic, ...named] = words
  if (topic === 'x') return importedId(context, named, contract)
  if (contract !== undefined) {
    throw new Failure('USAGE', {
      message: '--contract chooses among imported contracts, and this is no command of one.',
      hint: advice`For example: ${cardctl('bulk', 'run', 'x', 'invoices', 'create-invoice', '--contract', 'billing', '--from', {value: 'FILE'})}`,
      effect: 'none',
    })
  }
  const {claims = [], sendsAs} = sentBy(config, words)
  if (sendsAs !== undefined) {
    refusePart(config, words, type)
    const [only] = sentBy(config, sendsAs).claims ?? []
    if (only !== undefined) return only
  }
  if (claims.length === 0) return words.join(' ')
  return operationOfCommand(context, words.join(' '), claims, {type, file, answered})
}

/** The id of `x TAG COMMAND`. @throws Failure USAGE for words that name no operation */
async function importedId(
  context: Context,
  [tag, name]: readonly string[],
  contract: string | undefined,
): Promise<string> {
  const contracts = await openContracts(context, contract)
  try {
    if (tag !== undefined && name !== undefined) return findOperation(contracts, tag, name).operation.id
    throw new Failure('USAGE', {
      message:
        'An imported operation is named by its tag and command, for example x invoices create-invoice.',
      hint: advice`See what was imported: ${cardctl('x')}`,
      effect: 'none',
    })
  } finally {
    for (const opened of contracts.opened) opened.close()
  }
}

/**
 * The operation that a command name stands for. If there are several, deprecated ones and those that can't run in bulk
 * don't count; of the others, it is the one that `--type`, the last word of the command or a column of the file names:
 * `credit` for `accounts.patchCredit.v4`. A person is asked which.
 *
 * @param claims the operations that the command sends.
 * @throws Failure USAGE, which lists the types to choose from.
 */
async function operationOfCommand(
  context: Context,
  command: string,
  claims: readonly string[],
  {type, file, answered}: NamingFlags,
): Promise<string> {
  const [first = '', ...others] = claims
  const usable = usableOf(claims)
  // If there is one operation, or none that may run in bulk, bulkOperation reports the rest.
  if (others.length === 0 || usable.length === 0) return first
  const word = (type ?? command.split(' ').at(-1) ?? '').toLowerCase()
  const named = usable.filter(id => verbOf(id).toLowerCase().endsWith(word))
  const [only, second] = named.length > 0 || type !== undefined ? named : usable
  if (only !== undefined && second === undefined) return only
  const types = typesOf(usable)
  const {interactive, prompter} = context
  const like = all[usable.find(id => Object.values<string>(BY_TYPE).includes(id)) ?? '']
  if (type === undefined && file !== undefined && like !== undefined) {
    const found = await typeInFile(context, like, {...file, answered})
    if (found !== undefined && usable.includes(BY_TYPE[found])) return BY_TYPE[found]
  }
  if (type === undefined && interactive) {
    const choices = usable.map((value, at) => ({value, name: types[at] ?? value}))
    const chosen = await prompter.choose('Which type do all rows have?', choices)
    answered?.('--type', types[usable.indexOf(chosen)] ?? '')
    return chosen
  }
  throw new Failure('USAGE', {
    message:
      type === undefined
        ? `${command} sends each type in its own way, and --type is missing.`
        : `${command} has no such --type for rows.`,
    hint: `Add --type ${types.join(' or ')}, or a column Type that says it of each row. The operations are ${usable.join(', ')}.`,
    effect: 'none',
  })
}

/** What tells several operations from each other: `credit` of `patchCredit` and `patchDebit`. */
function typesOf(ids: readonly string[]): readonly string[] {
  const words = ids.map(id => verbOf(id).split(/(?=[A-Z])/))
  const [first = []] = words
  const alike = first.findIndex((word, at) => words.some(other => other[at] !== word))
  return words.map(each => each.slice(alike).join('').toLowerCase())
}

/** `patchCredit` of `accounts.patchCredit.v4`. */
const verbOf = (id: string): string => id.split('.')[1] ?? ''
