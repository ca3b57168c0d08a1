import {isSignedBy, publicKeyOf, signFacts} from '../sensitive/ed25519.ts'
import type {Database} from '../sqlite/index.ts'
import {ORIGIN} from './audit-entry.ts'

/** The trail as the last finished append left it. */
export interface Head {
  readonly seq: number
  readonly hash: string
  /** Bytes of the file. */
  readonly size: number
}

/** A head as it was found, and whether its seal is right. */
export interface FoundHead extends Head {
  readonly sealed: boolean
}

/** The head of a trail without a line. */
export const EMPTY: Head = {seq: 0, hash: ORIGIN, size: 0}

/**
 * A small database beside the trail. Its write lock orders all processes that append, and a process that dies lets go of
 * it by itself. It remembers the head under a seal, so that lines cut off the end, or a chain computed anew, are missed.
 */
export const headMigrations: readonly string[] = [
  `CREATE TABLE head (
     id   INTEGER PRIMARY KEY CHECK (id = 1),
     seq  INTEGER NOT NULL,
     hash TEXT NOT NULL,
     size INTEGER NOT NULL,
     seal TEXT
   ) STRICT`,
  // What the trail said last of things that others change.
  `CREATE TABLE said (
     about TEXT PRIMARY KEY,
     state TEXT NOT NULL
   ) STRICT`,
]

/** What the trail said last about a thing; undefined if it never did. */
export const saidOf = (db: Database, about: string): string | undefined =>
  db.get<{state: string}>('SELECT state FROM said WHERE about = ?', [about])?.state

export function writeSaid(db: Database, about: string, state: string): void {
  db.run('INSERT OR REPLACE INTO said (about, state) VALUES (?, ?)', [about, state])
}

/** @param key without one no seal is right. */
export function readHead(db: Database, key: Buffer | undefined): FoundHead | undefined {
  const row = db.get<Head & {seal: string | null}>('SELECT seq, hash, size, seal FROM head')
  if (row === undefined) return undefined
  const {seal, ...head} = row
  return {...head, sealed: key !== undefined && isSignedBy(publicKeyOf(key), factsOf(head), seal)}
}

export function writeHead(db: Database, head: Head, key: Buffer): void {
  const {seq, hash, size} = head
  const seal = signFacts(factsOf(head), key)
  db.run('INSERT OR REPLACE INTO head (id, seq, hash, size, seal) VALUES (1, ?, ?, ?, ?)', [
    seq,
    hash,
    size,
    seal,
  ])
}

const factsOf = ({seq, hash, size}: Head) => ['head', seq, hash, size]
