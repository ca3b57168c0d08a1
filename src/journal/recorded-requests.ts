import type {AnyInput, ResourceKind} from '../contract/operation.ts'
import {
  findPlasticsWithoutCard,
  findTouchedWith,
  hasTouchedKind,
  listRequests,
  type RequestFilter,
} from './find-requests.ts'
import {type Forgotten, forgottenAt} from './forgotten.ts'
import type {JournalStore} from './journal-store.ts'
import {type Asked, fingerprint} from './key-rules.ts'
import {type RequestRecord, type RequestRow, toRecord} from './request-record.ts'
import {openInput, sentPlace, unseal} from './write-requests.ts'

/** What a journal knows about the requests that were sent. */
export class RecordedRequests {
  readonly #store: JournalStore

  constructor(store: JournalStore) {
    this.#store = store
  }

  get(id: string): RequestRecord | undefined {
    const row = this.#row<RequestRow>(id, '*')
    return row && toRecord(row, this.#store.goneJudge())
  }

  /** Newest first. */
  list(filter: RequestFilter = {}): RequestRecord[] {
    return [...this.iterate(filter)]
  }

  /** Newest first, one by one, so that memory does not grow. */
  iterate(filter: RequestFilter = {}): Generator<RequestRecord, void, undefined> {
    return listRequests(this.#store.db, filter, this.#store.goneJudge())
  }

  /** Every request sent with the key, oldest first. */
  findKey(key: string): RequestRecord[] {
    return this.list({key}).reverse()
  }

  /** The requests that sent the former values of this one again, oldest first. */
  undosOf(id: string): RequestRecord[] {
    return this.list({undoOf: id}).reverse()
  }

  /**
   * Requests of the last `forMs` that protect against sending the same again, newest first; all of them if the clock
   * can't be believed. What a sandbox has forgotten protects no longer.
   */
  protecting(filter: RequestFilter, forMs: number): RequestRecord[] {
    const since = this.#store.isBelieved() ? {countsSince: this.#store.now() - forMs} : {}
    return this.list({...filter, ...since}).filter(({begunAt}) => this.forgotten(begunAt) === undefined)
  }

  /** Why the sandbox no longer has the effect of what was begun then. */
  forgotten(begunAt: number): Forgotten | undefined {
    return forgottenAt(this.#store.db, begunAt)
  }

  /** The fields that a request sent, as recorded; undefined if there were none, or under another key. */
  sent(id: string): unknown {
    const sent = this.#row<{sent: Uint8Array | null}>(id, 'sent')?.sent
    return sent ? unseal(this.#store.keys().seal, sentPlace(id), sent) : undefined
  }

  /** Whether this is exactly what a request sent, apart from sensitive fields. What `sent` gives may be shortened. */
  sentExactly(id: string, asked: Asked): boolean {
    const recorded = this.#row<{fingerprint: string}>(id, 'fingerprint')?.fingerprint
    return recorded === fingerprint(this.#store.keys().fingerprint, asked).text
  }

  /** The digests of its items that a request was recorded with; empty if there are none. */
  itemsOf(id: string): Uint8Array {
    return this.#row<{items: Uint8Array | null}>(id, 'items')?.items ?? new Uint8Array()
  }

  /** What `Journal.tenantMark` gave when the request was sent; null if no secret header named a tenant. */
  tenantMark(id: string): string | null {
    const row = this.#store.db.get<{tenant: string | null}>('SELECT tenant FROM request WHERE id = ?', [id])
    return row?.tenant ?? null
  }

  /** The input of a request, for 24 hours and only if it had nothing sensitive. */
  keptInput(id: string): AnyInput | undefined {
    if (!this.#store.isBelieved()) return undefined
    const row = this.#store.db.get<{sealed: Uint8Array}>(
      'SELECT sealed FROM kept_input WHERE request_id = ? AND expires_at > ?',
      [id, this.#store.now()],
    )
    return row && openInput(this.#store.keys().seal, id, row.sealed)
  }

  /**
   * Other resources of requests that affected this one, newest first: a control id leads to its plastic. Looks back no
   * further than `withinMs`, so that a large journal doesn't slow it down.
   */
  touchedWith(resource: string, withinMs: number): string[] {
    return findTouchedWith(this.#store.db, resource, this.#store.now() - withinMs)
  }

  /** The plastics of which no request named the card. */
  plasticsWithoutCard(): string[] {
    return findPlasticsWithoutCard(this.#store.db)
  }

  /** Whether any request affected a resource of one of these kinds. */
  hasTouched(...kinds: readonly ResourceKind[]): boolean {
    return kinds.some(kind => hasTouchedKind(this.#store.db, kind))
  }

  /** The profiles that this service was used with. */
  profiles(): string[] {
    return this.#store.db.all<{name: string}>('SELECT name FROM profile ORDER BY name').map(({name}) => name)
  }

  /** When something was first sent from here, ms since 1970. */
  since(): number | undefined {
    return (
      this.#store.db.get<{since: number | null}>('SELECT min(since) AS since FROM profile')?.since ??
      undefined
    )
  }

  #row<Row extends object>(id: string, columns: string): Row | undefined {
    return this.#store.db.get<Row>(`SELECT ${columns} FROM request WHERE id = ?`, [id])
  }
}
