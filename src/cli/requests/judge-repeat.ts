import type {Operation} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import type {RequestRecord} from '../../journal/index.ts'
import type {CommandLine} from '../command-line.ts'

/** What is known of a request before it is sent once more. */
export interface RepeatFacts {
  /** The contract's operation; undefined for a path that the contract does not know. */
  readonly operation: Operation | undefined
  /** The service keeps the promise of the key on this profile. */
  readonly honoured: boolean
  /** Since when the service may know the key, ms since 1970; undefined if it can't know it. */
  readonly knownSince: number | undefined
  /** Whether the journal still has the content. */
  readonly kept: boolean
  /** ms since 1970. */
  readonly now: number
  /** How long the service keeps a key, in ms. */
  readonly keyLifeMs: number
  readonly commandLine: CommandLine
}

/** The request must arrive before the service forgets the key, its time limit and tries included. */
const MARGIN_MS = 5 * 60_000

/**
 * Why a request may be sent once more without a second effect, in words.
 *
 * @throws Failure USAGE or EFFECT_UNKNOWN that explains why not.
 */
export function judgeRepeat(record: RequestRecord, facts: RepeatFacts): string {
  const {id, state} = record
  const {operation, now} = facts
  if (state === 'running') refuse(`Request ${id} still runs.`, 'Wait for its end: requests show has it.')
  if (operation === undefined || operation.effect === 'disclose' || operation.sensitive.reply.length > 0) {
    refuse(
      `Request ${id} (${record.operation}) is not repeated from the journal: its answer may be secret, or the contract does not know it.`,
      'Run the command itself again.',
    )
  }
  const keyAlive = facts.knownSince === undefined || now - facts.knownSince < facts.keyLifeMs - MARGIN_MS
  const isProtected = facts.honoured && record.key !== undefined && keyAlive
  const noEffect = record.effect === 'none'
  if (!noEffect && !isProtected) refuseSecondEffect(record, facts, keyAlive)
  if (!facts.kept) {
    refuse(
      `The content of request ${id} is not there any more: it is kept for 24 hours, and never if something in it is secret.`,
      record.key === undefined
        ? 'Run the command itself again.'
        : `Run the command itself again with --idempotency-key ${record.key}.`,
    )
  }
  return noEffect
    ? 'it certainly had no effect'
    : 'the service honours its key, so that it takes effect once however often it is sent'
}

function refuseSecondEffect(
  {id, state, key}: RequestRecord,
  {honoured, commandLine}: RepeatFacts,
  keyAlive: boolean,
): never {
  const why =
    key === undefined
      ? 'it has no key'
      : !honoured
        ? 'the service does not document that it honours the key of this operation'
        : keyAlive
          ? 'its key protects nothing'
          : 'the service has forgotten its key by now'
  if (state === 'done') {
    refuse(
      `Request ${id} is done, and ${why}: sending it again would have its effect a second time.`,
      'If that is what you want, run the command itself again.',
    )
  }
  throw new Failure('EFFECT_UNKNOWN', {
    message: `Request ${id} may have had its effect, and ${why}: sending it again could have the effect twice.`,
    hint: `Find out first: ${commandLine('requests', 'resolve', id)}`,
    requestId: id,
    effect: 'unknown',
    repeatable: false,
  })
}

function refuse(message: string, hint: string): never {
  throw new Failure('USAGE', {message, hint})
}
