export type {
  EndedRow,
  Job,
  JobRow,
  JobSettings,
  NewRow,
  RowCounts,
  RowEnd,
  RowReason,
  RowResult,
  RowState,
} from './job.ts'
export {rowKey} from './job.ts'
export {keyedJobId, keyedRowKey} from './job-key.ts'
export {JobStore} from './job-store.ts'
export type {Awaitable, Jobs} from './jobs.ts'
export type {EndedRequest, RowOutcome} from './row-ledger.ts'
export type {SharedRefusal} from './run-job.ts'
export {type Admit, type Prepared, runJob, type Stop} from './run-job.ts'
