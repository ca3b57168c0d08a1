import {operations} from '../../../contract/operations.gen.ts'
import type {GateCaller} from '../../../policy/index.ts'
import type {Database} from '../../../sqlite/index.ts'

export const guessMigration = `CREATE TABLE guess (
     user    TEXT NOT NULL,
     profile TEXT NOT NULL,
     left    REAL NOT NULL,
     at      INTEGER NOT NULL,
     PRIMARY KEY (user, profile)
   ) STRICT`

/** Of a card number that shows eight and four digits, the check digit leaves 1,000: two days. */
const MOST = 10
const PER_MS = 20 / 3_600_000

/** Who may try any number finds the hidden digits of one. */
const GUESSABLE: ReadonlySet<string> = new Set(
  Object.values(operations)
    .filter(({sensitive}) => sensitive.request.length > 0)
    .map(({id}) => id),
)

export const isGuessable = (operation: string): boolean => GUESSABLE.has(operation)

type Whose = Pick<GateCaller, 'user' | 'profile'>

/** How many secret values a caller may try that are wrong, also after another start. */
export class KeptGuesses {
  readonly #db: Database
  readonly #now: () => number
  readonly #elapsed: () => number
  /** When each was last looked at by the clock that nobody sets. */
  readonly #seen = new Map<string, number>()

  constructor(db: Database, now: () => number, elapsed: () => number) {
    this.#db = db
    this.#now = now
    this.#elapsed = elapsed
  }

  /** Takes one before it is sent. @returns how many seconds to wait; 0 if it was taken. */
  take(whose: Whose): number {
    const left = this.#left(whose)
    if (left < 1) return Math.ceil((1 - left) / PER_MS / 1000)
    this.#keep(whose, left - 1)
    return 0
  }

  /** It was no wrong one. */
  giveBack(whose: Whose): void {
    this.#keep(whose, Math.min(MOST, this.#left(whose) + 1))
  }

  #left({user, profile}: Whose): number {
    const [row] = this.#db.all<{left: number; at: number}>(
      'SELECT left, at FROM guess WHERE user = ? AND profile = ?',
      [user, profile],
    )
    if (row === undefined) return MOST
    const seen = this.#seen.get(nameOf({user, profile}))
    const passed = seen === undefined ? this.#now() - row.at : this.#elapsed() - seen
    return Math.min(MOST, row.left + Math.max(0, passed) * PER_MS)
  }

  #keep({user, profile}: Whose, left: number): void {
    this.#seen.set(nameOf({user, profile}), this.#elapsed())
    this.#db.run('INSERT OR REPLACE INTO guess (user, profile, left, at) VALUES (?, ?, ?, ?)', [
      ...[user, profile, left],
      Math.round(this.#now()),
    ])
  }
}

const nameOf = ({user, profile}: Whose): string => JSON.stringify([user, profile])
