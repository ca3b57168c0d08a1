export type {
  EndedRow,
  ExplainedReason,
  Job,
  JobLimits,
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
export type {Awaitable, InFlight, Jobs} from './jobs.ts'
export type {EndedRequest, RowOutcome, SharedRefusal} from './row-ledger.ts'
export type {Admit} from './row-place.ts'
export {type Prepared, runJob} from './run-job.ts'
export {EQUAL_REFUSALS, type Stop} from './stop-rules.ts'
