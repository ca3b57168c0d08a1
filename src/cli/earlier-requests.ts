import type {Journal, RequestRecord} from '../journal/index.ts'

/** Requests of one resource, the newest first, without a gap. */
interface Stretch {
  /** Its first request is the newest one older than this. */
  before: RequestRecord
  records: RequestRecord[]
  /** Whether the journal has older ones. */
  isOpen: boolean
  /** Number of requests to read next. */
  page: number
}

const FIRST_PAGE = 16
const LARGEST_PAGE = 4096
const MOST_RESOURCES = 256

/**
 * The requests of resources before others. A list that goes from the newest to the oldest asks for them once for each
 * entry: what was read for one serves the next, or a list of one resource would take the square of its length.
 */
export class EarlierRequests {
  readonly #journal: Journal
  readonly #stretches = new Map<string, Stretch>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Newest first. */
  *of(resource: string, record: RequestRecord): Generator<RequestRecord, void, undefined> {
    const stretch = this.#from(resource, record)
    for (let at = 0; ; at++) {
      if (at >= stretch.records.length) this.#readMore(resource, stretch)
      const earlier = stretch.records[at]
      if (earlier === undefined) return
      yield earlier
    }
  }

  #from(resource: string, record: RequestRecord): Stretch {
    const known = this.#stretches.get(resource)
    if (known !== undefined && isOlder(record, known.before)) {
      const first = known.records.findIndex(one => isOlder(one, record))
      if (first >= 0) {
        known.records.splice(0, first)
        known.before = record
        return known
      }
    }
    const page = known === undefined ? FIRST_PAGE : Math.min(known.page * 2, LARGEST_PAGE)
    const stretch = {before: record, records: [], isOpen: true, page}
    if (this.#stretches.size >= MOST_RESOURCES) this.#stretches.clear()
    this.#stretches.set(resource, stretch)
    return stretch
  }

  #readMore(resource: string, stretch: Stretch): void {
    if (!stretch.isOpen) return
    const before = stretch.records.at(-1) ?? stretch.before
    const more = this.#journal.requests.list({resources: [resource], before, limit: stretch.page})
    stretch.isOpen = more.length === stretch.page
    stretch.page = Math.min(stretch.page * 2, LARGEST_PAGE)
    stretch.records.push(...more)
  }
}

const isOlder = (one: RequestRecord, other: RequestRecord): boolean =>
  one.begunAt < other.begunAt || (one.begunAt === other.begunAt && one.id < other.id)
