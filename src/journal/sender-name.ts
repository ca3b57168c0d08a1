import {randomBytes} from 'node:crypto'
import {type Database, immediate} from '../sqlite/index.ts'

/** The table never leaves the file: a copy of the journal is another sender, and so is one that begins anew. */
export const SENDER_TABLE = 'sender'

const BYTES = 16
const NAME = new RegExp(`^[a-p]{${2 * BYTES}}$`)

export const isSenderName = (one: unknown): one is string => typeof one === 'string' && NAME.test(one)

/**
 * The name of a journal as a sender, made at its first use. What names it is sent by this journal alone, so it is in the
 * file that knows what was sent: without the file, the name is gone too. Digits could look like a card number.
 */
export function senderName(db: Database): string {
  const found = () => db.get<{name: string}>('SELECT name FROM sender')?.name
  return (
    found() ??
    immediate(db, () => {
      db.run('INSERT OR IGNORE INTO sender VALUES (1, ?)', [newName()])
      return found() ?? ''
    })
  )
}

const newName = (): string =>
  randomBytes(BYTES)
    .toString('hex')
    .replace(/./g, digit => LETTERS.charAt(Number.parseInt(digit, 16)))

const LETTERS = 'abcdefghijklmnop'
