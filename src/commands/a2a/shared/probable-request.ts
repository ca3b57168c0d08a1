import {openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {isPathId} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {marksIn} from '../../../output/batch-marks.ts'
import {textAt} from '../../../output/fields.ts'
import {hadEffect} from './parts.ts'
import {isSameId} from './replaced-rows.ts'
import {requestOfBatch} from './sent-texts.ts'

/** The requests of which nobody knows which batch they made, if any. */
export const withoutBatch = (journal: Journal): readonly RequestRecord[] =>
  journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(request => hadEffect(request) && request.replyId === undefined)

/** The request of this machine whose reference a batch has, and which no response confirmed. */
export function probableRequest(journal: Journal, batch: unknown): RequestRecord | undefined {
  const {reference} = marksIn(textAt(batch, 'description'))
  if (reference === undefined) return undefined
  return withoutBatch(journal).find(request => isSameId(request.reference ?? '', reference))
}

/** The same by the id of the batch, which is read if any request could be meant. */
export async function readProbableRequest(
  context: Context,
  journal: Journal,
  id: string,
): Promise<RequestRecord | undefined> {
  if (!isPathId(id) || requestOfBatch(journal, id) !== undefined || withoutBatch(journal).length === 0)
    return undefined
  const client = await openClient(context, await context.service.target())
  try {
    return probableRequest(journal, await client.call({operation: 'a2a.status.v1', path: {id}}))
  } catch (error) {
    if (isInterruption(error) || !(error instanceof Failure)) throw error
    if (error.code !== 'NOT_FOUND')
      context.printer.warn(`Could not read which request made batch ${id}: ${error.message}`)
    return undefined
  } finally {
    await client.close()
  }
}
