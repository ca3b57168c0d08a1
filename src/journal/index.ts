export {refuseRunningIn} from './adopt-journal.ts'
export type {Journal} from './journal.ts'
export {openJournal} from './journal.ts'
export {journalFile} from './journal-file.ts'
export type {JournalOptions, JournalSurroundings} from './journal-options.ts'
export {processSurroundings} from './journal-options.ts'
export type {JournalStore} from './journal-store.ts'
export {canonicalJson, KEY_LIFE_MS, type KeyState} from './key-rules.ts'
export {localKeyFile} from './local-key.ts'
export type {OtherJournal} from './other-journals.ts'
export type {PaceOptions, PacerOptions, Pacing, Pause, Permission, TellWait, Turn, TurnWait} from './pace.ts'
export {Pace, Pacer} from './pace.ts'
export type {Rate} from './pace-rates.ts'
export type {Pruned, PruneOptions} from './prune.ts'
export {type PrunedJobs, REMOVING} from './prune.ts'
export type {RequestFilter} from './recorded-requests.ts'
export type {
  BatchEnd,
  Outcome,
  Purpose,
  Replayed,
  RequestEnd,
  RequestRecord,
  RequestStart,
  RequestState,
} from './request-record.ts'
export {isSenderName} from './sender-name.ts'
export {excuseRequests, trailWitness} from './trail-witness.ts'
export type {Begun, Resolution} from './write-requests.ts'
