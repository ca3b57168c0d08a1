import type {Journal, RequestRecord} from '../journal/index.ts'
import type {RowStore} from './row-store.ts'

/** What was found out about a row with an unknown effect. */
interface Finding {
  readonly row: number
  readonly was: 'sent' | 'unknown'
  readonly state: 'done' | 'again'
}

/**
 * What requests resolve, or a retry of the request, has found about rows with an unknown effect. A row that had an effect
 * is done; one that certainly had none may be sent again.
 */
export function* findings(store: RowStore, job: string): Generator<Finding, void, undefined> {
  for (const page of pagesOfFindings(store, job)) yield* page
}

/** Takes over what was found. */
export function settleFindings(store: RowStore, job: string): void {
  for (const page of pagesOfFindings(store, job)) {
    store.journal.store.unsynced(() => {
      for (const {row, state} of page) store.end(job, row, {state})
    })
  }
}

function* pagesOfFindings(store: RowStore, job: string): Generator<readonly Finding[], void, undefined> {
  const requestsOf = relatedRequests(store.journal, job)
  for (const page of store.openRows(job)) {
    yield page.flatMap(({row, state: was, request}) => {
      const state = stateOf(requestsOf(request))
      return state === undefined ? [] : [{row, was, state}]
    })
  }
}

/** undefined while any of the requests may have had the effect. */
function stateOf(requests: readonly RequestRecord[]): 'done' | 'again' | undefined {
  if (requests.some(({effect}) => effect === 'done')) return 'done'
  const isNone = requests.length > 0 && requests.every(({effect}) => effect === 'none')
  return isNone ? 'again' : undefined
}

/**
 * Every request that was sent for a row, given one of them: those with its key; without a key, those that repeat it.
 */
function relatedRequests(journal: Journal, job: string): (request: string) => readonly RequestRecord[] {
  let repeats: Map<string, RequestRecord[]> | undefined
  const repeatsOf = (id: string): readonly RequestRecord[] => {
    if (repeats === undefined) {
      repeats = new Map()
      for (const record of journal.requests.iterate({job})) {
        if (record.retryOf === undefined) continue
        repeats.set(record.retryOf, [...(repeats.get(record.retryOf) ?? []), record])
      }
    }
    return (repeats.get(id) ?? []).flatMap(record => [record, ...repeatsOf(record.id)])
  }
  return request => {
    const record = journal.requests.get(request)
    if (record === undefined) return []
    return record.key === undefined ? [record, ...repeatsOf(request)] : journal.requests.findKey(record.key)
  }
}
