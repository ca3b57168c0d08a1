import {Failure} from '../errors/failure.ts'
import type {Database} from '../sqlite/index.ts'

/** `here`: requests are sent from this machine. `moved`: from another one. `copy`: this is a backup. */
export type HomeState = 'here' | 'moved' | 'copy'

/**
 * Whether requests may be sent from a journal. It can be on several machines, and only one of them may retry a request
 * or continue a bulk job.
 */
export interface Home {
  readonly state: HomeState
  /** How often it was moved: of two copies, the one with more moves is newer. */
  readonly moves: number
  /** When it was moved or copied, ms since 1970. */
  readonly at: number
}

export function readHome(db: Database): Home {
  return db.get<Home>('SELECT state, moves, at FROM home') ?? {state: 'here', moves: 0, at: 0}
}

export function writeHome(db: Database, {state, moves, at}: Home): void {
  db.run('INSERT OR REPLACE INTO home (id, state, moves, at) VALUES (1, ?, ?, ?)', [state, moves, at])
}

/** @param words the service. */
export function movedAway(state: Exclude<HomeState, 'here'>, words: string): Failure {
  return new Failure('JOURNAL_MOVED', {
    message:
      state === 'moved'
        ? `The journal of ${words} was moved to another machine with data export --move: nothing is sent from here.`
        : `The journal of ${words} is a backup: another machine may still send its requests, so nothing is sent from here.`,
    effect: 'none',
  })
}
