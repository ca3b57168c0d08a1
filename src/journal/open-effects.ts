import {openOther} from './adopt-journal.ts'
import {readHome} from './home.ts'
import {journalsHere} from './transfer-journal.ts'

/** What of a service may have had an effect that nobody knows of. */
export interface OpenEffects {
  /** The service, in words. */
  readonly service: string
  /** Requests that are unfinished, or whose effect is unknown. */
  readonly requests: number
  /** Rows of bulk jobs that were sent, and whose effect is unknown. */
  readonly rows: number
}

/** The services with open effects whose journal is in the folder. What was moved to another machine is open there. */
export function openEffectsIn(folder: string): readonly OpenEffects[] {
  return journalsHere(folder)
    .map(({file, service}) => {
      using db = openOther(file)
      const isMoved = readHome(db).state !== 'here'
      const count = (sql: string): number => (isMoved ? 0 : (db.get<{n: number}>(sql)?.n ?? 0))
      return {
        service,
        requests: count("SELECT count(*) AS n FROM request WHERE outcome IS NULL OR outcome = 'unknown'"),
        rows: count(
          "SELECT count(*) AS n FROM bulk_row WHERE state IN ('sent', 'unknown') AND request IS NOT NULL",
        ),
      }
    })
    .filter(({requests, rows}) => requests + rows > 0)
}
