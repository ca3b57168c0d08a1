import {fieldAt, textAt} from './fields.ts'

/** The requests of one PIN exchange have the same `exchange`. A reveal to a person stands alone. */
const exchangeOf = (entry: unknown): string => textAt(entry, 'exchange')

/** One entry for each PIN exchange, the newest of it, with the number of its requests (`steps`) if there are several. */
export function oneOfEach<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const steps = Map.groupBy(entries, exchangeOf)
  return entries.flatMap(entry => {
    const all = exchangeOf(entry) === '' ? [entry] : (steps.get(exchangeOf(entry)) ?? [])
    if (all.length === 1) return [entry]
    // Ids of requests sort by time.
    const newest = all.reduce((a, b) => (textAt(b, 'request') > textAt(a, 'request') ? b : a))
    if (newest !== entry) return []
    // The control id is one of the steps.
    const did = String(fieldAt(entry, 'did')).replace(' that belongs to the control id', '')
    return [{...entry, did, steps: all.length}]
  })
}
