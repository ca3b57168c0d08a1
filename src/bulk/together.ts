/**
 * Gathers calls of one turn of the event loop and does them at once: a hundred rows in flight need one write to the
 * disk, not a hundred. If it throws, all of them fail.
 */
export function together<Item, Result>(
  work: (items: readonly Item[]) => readonly Result[],
): (item: Item) => Promise<Result> {
  let waiting: {item: Item; resolve(result: Result): void; reject(error: unknown): void}[] = []
  const flush = (): void => {
    const batch = waiting
    waiting = []
    try {
      const results = work(batch.map(({item}) => item))
      batch.forEach(({resolve}, at) => {
        resolve(results[at] as Result)
      })
    } catch (error) {
      for (const {reject} of batch) reject(error)
    }
  }
  return item =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({item, resolve, reject})
    })
}
