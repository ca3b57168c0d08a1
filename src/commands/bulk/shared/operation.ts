import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'

const all: Readonly<Record<string, Operation>> = operations

/** The operation with this id, if it may run in bulk. @throws Failure USAGE, GATE_REFUSED */
export function bulkOperation(id: string): Operation {
  const operation = all[id]
  if (operation === undefined) {
    const meant = nearestName(id, Object.keys(all))
    throw new Failure('USAGE', {
      message: `${id} is neither an operation of the contract nor a command that sends one.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      hint: 'For example accounts.patchCredit.v4, or accounts patch --type credit. The pages of docs/commands list them.',
    })
  }
  const {effect, topic} = operation
  if (isSecret(operation)) {
    throw new Failure('GATE_REFUSED', {
      message: `${id} takes or discloses secret values, which bulk jobs never handle.`,
      hint: 'Use its own command, once for each.',
    })
  }
  if (topic === 'a2a' && effect !== 'read') {
    throw new Failure('GATE_REFUSED', {
      message: `${id} moves money in batches of its own.`,
      hint: 'Use a2a create --from FILE.',
    })
  }
  return operation
}

const isSecret = ({effect, sensitive}: Operation): boolean =>
  effect === 'disclose' || sensitive.request.length > 0 || sensitive.reply.length > 0

/**
 * The operation that a command name stands for. If there are several, deprecated ones and those that can't run in bulk
 * don't count; of the others, it is the one that `--type` or the last word of the command names: `credit` for
 * `accounts.patchCredit.v4`.
 *
 * @param claims the operations that the command sends.
 * @throws Failure USAGE, which lists the operations to choose from.
 */
export function operationOfCommand(
  command: string,
  claims: readonly string[],
  type: string | undefined,
): string {
  const [first = '', ...others] = claims
  const usable = claims.filter(id => all[id] !== undefined && !all[id].deprecated && !isSecret(all[id]))
  // If there is one operation, or none that may run in bulk, bulkOperation reports the rest.
  if (others.length === 0 || usable.length === 0) return first
  const word = (type ?? command.split(' ').at(-1) ?? '').toLowerCase()
  const named = usable.filter(id => verbOf(id).toLowerCase().endsWith(word))
  const [only, second] = named.length > 0 || type !== undefined ? named : usable
  if (only !== undefined && second === undefined) return only
  throw new Failure('USAGE', {
    message: `${command} sends several operations${type === undefined ? '' : `, and --type ${type} does not tell which`}.`,
    hint: `Add --type, e.g. --type credit, or name one of ${usable.join(', ')}.`,
  })
}

/** `patchCredit` of `accounts.patchCredit.v4`. */
const verbOf = (id: string): string => id.split('.')[1] ?? ''
