import type {IncomingMessage} from 'node:http'
import {beyondLimits} from '../../limits/beyond-limits.ts'
import {LIMITS} from '../../limits/limits.ts'
import type {WebhookAuth} from '../credentials.ts'
import type {Desk} from '../desk.ts'
import {readBody} from '../read-body.ts'
import {sendAgain} from './send-again.ts'
import type {AnswerRequest} from './wire.ts'

/** Does what a post of the page asks for. Gives why not, as a sentence without a full stop, or undefined when done. */
export type Action = (body: unknown, request: IncomingMessage) => Promise<string | undefined>

export interface ActionOptions {
  readonly pathPrefix: string
  readonly auth?: WebhookAuth | undefined
  /** Where people decide. */
  readonly desk?: Pick<Desk, 'answer'> | undefined
}

/** What the page can ask for, by path. */
export function createActions({pathPrefix, auth, desk}: ActionOptions): Readonly<Record<string, Action>> {
  return {
    '/_inspect/answer': async body => {
      if (!desk) return 'nobody is asked here'
      const {event, choice} = record(body)
      const read = readChoice(choice)
      if (typeof event !== 'string' || !read) return 'this is no answer'
      return desk.answer(event, read, 'page')
    },
    '/_inspect/send': async (body, request) => {
      const {path, body: call} = record(body)
      if ((path !== '/auth' && path !== '/warm-up') || call === undefined) return 'this is no call'
      const bytes = Buffer.from(JSON.stringify(call))
      return sendAgain(request, pathPrefix + path, bytes, auth).then(
        () => undefined,
        () => 'the call could not be sent',
      )
    },
  }
}

/** A call of the largest size, and what stands around it. */
const LARGEST = LIMITS.call.bytes + 1024
const READ_MS = 2000

/** The JSON of a post. @throws when it doesn't come, is beyond the limits, or is no JSON. */
export async function readPost(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, {limit: LARGEST, signal: AbortSignal.timeout(READ_MS)})
  const text = bytes.toString('utf8')
  if (beyondLimits(text, LIMITS.call)) throw new RangeError('beyond the limits')
  return JSON.parse(text)
}

function readChoice(value: unknown): AnswerRequest['choice'] | undefined {
  const {approve, decline, partial} = record(value)
  if (approve === true) return {approve}
  if (typeof decline === 'string') return {decline}
  const {amount, currency} = record(partial)
  if (typeof amount === 'number' && typeof currency === 'string') return {partial: {amount, currency}}
  return undefined
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
