import type {BuiltRequest} from './build-request.ts'
import {readableReply} from './contract-check.ts'
import {invalidAnswer} from './failures.ts'
import type {ReplyBody} from './reply-body.ts'
import type {ReplyCheck} from './send-types.ts'

/** The value in the body of a 2xx, or what is wrong with it. */
function readValue(body: ReplyBody, textAllowed: boolean): {value: unknown} | {wrong: string; isPage?: true} {
  switch (body.kind) {
    case 'empty':
      return {value: undefined}
    case 'json':
      return {value: body.value}
    case 'text':
      return textAllowed ? {value: body.text} : {wrong: 'its body is no JSON'}
    case 'html':
      return {wrong: 'its body is an HTML page, perhaps of a proxy', isPage: true}
    case 'unreadable':
      return {wrong: `its body cannot be read: ${body.why}`}
  }
}

/**
 * The value of a 2xx, held against the contract, and without what should not be in it. An operation that names no success status has no contract of its
 * own; it may also answer with plain text.
 *
 * @throws Failure ANSWER_INVALID, effect done
 */
export async function acceptReply(
  built: BuiltRequest,
  status: number,
  body: ReplyBody,
  attempts: number,
  check: ReplyCheck,
): Promise<unknown> {
  const {operation} = built
  const read = readValue(body, operation.success.length === 0)
  if ('wrong' in read) {
    const failure = invalidAnswer(built, status, attempts, read.wrong)
    throw read.isPage ? failure.with({isPage: true}) : failure
  }
  const violations = await check(operation, status, read.value)
  if (violations.length > 0) throw invalidAnswer(built, status, attempts, violations)
  return readableReply(operation, read.value)
}
