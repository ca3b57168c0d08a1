/**
 * Calls that come while others are at work are gathered, and done at once afterwards: a hundred rows in flight need one
 * write to the disk, not a hundred. If it fails, all of them fail.
 */
export function gathered<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: {item: Item; resolve(result: Result): void; reject(error: unknown): void}[] = []
  let isAtWork = false
  const doAll = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const results = await work(batch.map(({item}) => item))
      batch.forEach(({resolve}, at) => {
        resolve(results[at] as Result)
      })
    } catch (error) {
      for (const {reject} of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(doAll)
    else isAtWork = false
  }
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({item, resolve, reject})
      if (isAtWork) return
      isAtWork = true
      setImmediate(doAll)
    })
}
