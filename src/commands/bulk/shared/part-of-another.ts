import {type Advice, advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'

/** What a plain command sets; a test compares them with what these commands send. */
export const SET_BY: Readonly<Partial<Record<string, string>>> = {
  'accounts block': 'status=ACCOUNT_BLOCKED',
  'accounts unblock': 'status=ACCOUNT_OK',
  'accounts close': 'status=ACCOUNT_TO_CLOSE',
}

interface Commands {
  findCommand(id: string): unknown
}

interface Sending {
  readonly claims?: readonly string[]
  readonly sendsAs?: readonly string[]
}

export const sentBy = (config: Commands, words: readonly string[]): Sending =>
  (config.findCommand(words.join(':')) as Sending | undefined) ?? {}

/**
 * Refuses a command that sends a part of another one, before anybody is asked for the file of its rows. One that sends
 * the whole of an operation is only another name of it.
 *
 * @throws Failure USAGE
 */
export function refusePart(config: Commands, words: readonly string[], type?: string): void {
  const {sendsAs} = sentBy(config, words)
  if (sendsAs === undefined || sentBy(config, sendsAs).claims?.length === 1) return
  const command = words.join(' ')
  throw new Failure('USAGE', {
    message: `${command} changes one thing at a time, and has no rows. Rows for ${sendsAs.join(' ')} may have any of its fields as columns.`,
    hint: rowsInstead(command, type),
    effect: 'none',
  })
}

/** The words of a command at the begin of a line. */
export const wordsOf = (argv: readonly string[]): readonly string[] => {
  const end = argv.findIndex(word => word.startsWith('-'))
  return (end === -1 ? argv : argv.slice(0, end)).flatMap(word => word.split(/\s+/))
}

/** How to do for many accounts what a command does for one. */
export function rowsInstead(command: string, type = 'credit'): Advice {
  const sets = SET_BY[command]
  const field = sets === undefined ? [] : (['--field', {value: sets}] as const)
  const run = cardctl(
    'bulk',
    'run',
    'accounts',
    'patch',
    '--type',
    {value: type},
    '--from',
    {value: 'FILE'},
    ...field,
  )
  const columns = sets === undefined ? 'columns such as id and creditLimit' : 'the column id'
  return advice`For many accounts of one type, in a file with ${columns}: ${run}`
}
