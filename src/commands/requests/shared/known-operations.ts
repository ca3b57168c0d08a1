import type {Context} from '../../../cli/context.ts'
import type {KeptRequest} from '../../../cli/proposal-content.ts'
import type {KnownOperations} from '../../../cli/shown-proposal.ts'
import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {importedOperation} from '../../x/shared/contracts.ts'

const builtIn: Readonly<Record<string, Operation>> = operations

/** The operations of requests that are kept. Those of another document than they were made with are left out. */
export async function knownOperations(
  context: Context,
  requests: readonly KeptRequest[],
): Promise<KnownOperations> {
  const known = new Map<string, Operation>()
  for (const {operation: id, digest} of requests) {
    if (known.has(id)) continue
    const found = digest === undefined ? builtIn[id] : (await importedOperation(context, id))?.operation
    if (found !== undefined && found.form?.digest() === digest) known.set(id, found)
  }
  return known
}

/** The operation of a request that is to be sent. @throws Failure OTHER_SERVICE if it isn't known here */
export function knownOperation(known: KnownOperations, {operation: id}: KeptRequest): Operation {
  const found = known.get(id)
  if (found !== undefined) return found
  const [, name = ''] = /^x:([^/]+)/.exec(id) ?? []
  throw new Failure('OTHER_SERVICE', {
    message: `It holds a request of the document ${name} (${id}), and this profile has no such document, or one that says something else of it. Nothing was sent.`,
    hint: advice`Import the same document, with the same effects: ${cardctl('contract', 'import', {value: 'FILE'}, '--name', {value: name})}`,
    effect: 'none',
  })
}
