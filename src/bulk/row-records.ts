import {advice} from '../errors/advice.ts'
import {isBlame} from '../errors/blame.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {JournalStore} from '../journal/index.ts'
import type {JobRow, Reason, RowState} from './job.ts'

/** A row as the journal has it. */
export interface RowRecord {
  readonly row: number
  readonly line: number
  readonly sealed: Uint8Array
  readonly state: string
  readonly begun_at: number | null
  readonly request: string | null
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
  readonly blame: string | null
  readonly reply: Uint8Array | null
  readonly follows: number | null
}

/** What says how it ended. Its values stay encrypted. */
export type EndRecord = Omit<RowRecord, 'sealed' | 'begun_at' | 'follows' | 'blame'>

/** What the values of a row are bound to when they are encrypted. */
export const valuesPlace = (job: string, row: number): string => `${job}/${row}`

/** What its response is bound to. */
export const replyPlace = (job: string, row: number): string => `${valuesPlace(job, row)}/reply`

/** @throws Failure STORE_DAMAGED if it was encrypted under another key. */
export function toRow(
  store: JournalStore,
  job: string,
  {row, line, sealed, state, begun_at, request, follows}: RowRecord,
): JobRow {
  const values = store.unseal(valuesPlace(job, row), sealed)
  if (typeof values !== 'object' || values === null) {
    throw new Failure('STORE_DAMAGED', {
      message: `Row ${row} of bulk job ${job} can't be decrypted: the local key was replaced.`,
      hint: advice`Start a new job with the rows that are left. To see which rows are done: ${cardctl('bulk', 'results', 'last')}`,
    })
  }
  return {
    row,
    line,
    values: values as Record<string, unknown>,
    state: state as RowState,
    begunAt: begun_at ?? undefined,
    request: request ?? undefined,
    follows: follows ?? undefined,
  }
}

/** A later version may know others. */
export const knownBlame = (text: string | null) => (text !== null && isBlame(text) ? text : undefined)

/** Why a row that is to be sent is not done yet. */
export const toReason = ({status, code, message, blame}: RowRecord): Reason => ({
  status: status ?? undefined,
  code: code ?? undefined,
  message: message ?? undefined,
  blame: knownBlame(blame),
})

/** How a row ended. */
export function toEnd(store: JournalStore, job: string, {row, status, code, message, reply}: EndRecord) {
  return {
    status: status ?? undefined,
    code: code ?? undefined,
    message: message ?? undefined,
    reply: reply === null ? undefined : store.unseal(replyPlace(job, row), reply),
  }
}
