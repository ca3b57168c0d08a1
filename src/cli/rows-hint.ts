import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import {advice, type Hint} from '../errors/advice.ts'
import {cardctl} from '../errors/suggested-command.ts'

/** Whether somebody gives a file to a command that takes none. */
export const givesFile = (argv: readonly string[]): boolean =>
  argv.some(word => /^--(?:from|file|csv|rows)(?:=|$)/.test(word))

/**
 * What sends the rows of a file, for somebody who gives one to the command of a single change.
 *
 * @param name as the user types it: `accounts patch`
 * @param claims the operations that only this command sends
 */
export function rowsHint(
  name: string,
  argv: readonly string[],
  claims: readonly OperationId[],
): Hint | undefined {
  const isChange = claims.some(id => {
    const {effect, sensitive, topic} = operations[id]
    // Bulk jobs take and show no secrets, and transfers have batches of their own.
    const isSecret = effect === 'disclose' || sensitive.request.length > 0 || sensitive.reply.length > 0
    return effect !== 'read' && topic !== 'a2a' && !isSecret
  })
  if (!isChange || !givesFile(argv)) return undefined
  const [topic = '', ...verb] = name.split(' ')
  return advice`For a change in each row of a file: ${cardctl('bulk', 'run', {value: topic}, ...verb.map(value => ({value})), '--from', {value: 'FILE'})}`
}
