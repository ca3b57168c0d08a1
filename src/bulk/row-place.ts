import type {Turn} from '../journal/index.ts'
import type {RowCounts, RowState} from './job.ts'
import type {Ledger} from './row-ledger.ts'
import type {RowOrder} from './row-order.ts'

/** Called before each attempt, which is sent when it resolves. */
export type Admit = (signal: AbortSignal) => Promise<Turn>

/** What the place of the rows needs to know of a run. */
export interface RunInProgress {
  /** Whether the run stops early. */
  isOver(): boolean
  /** Resolves when so few recorded rows wait to be sent that the next ones should be recorded. */
  hurry(): Promise<void>
}

/** The rows of a job during a run. */
export interface RunRows {
  /** The rows of the whole job, as of now. */
  readonly counts: RowCounts
  /** Says that a row has ended here. */
  readonly moved: (from: RowState, to: RowState) => void
  readonly order: RowOrder
  readonly ledger: Ledger
  /** Adds a last check of the row, which throws a Failure LEASE_ENDED, to what each attempt waits for. */
  readonly guard?: (row: number, admit: Admit | undefined) => Admit
}

/** Where the rows of a job are: in the journal of this machine, or in a database that machines share. */
export type RowPlace = (run: RunInProgress) => RunRows | Promise<RunRows>
