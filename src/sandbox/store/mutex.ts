/** One at a time, in the order of asking. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

const byFile = new Map<string, WeakRef<Mutex>>()

/**
 * The mutex of a file in this process. SQLite waits for a lock by blocking the process, so two connections of one
 * process must never wait for each other: the one that holds the lock could not go on.
 */
export function mutexOf(file: string): Mutex {
  const known = byFile.get(file)?.deref()
  if (known) return known
  const mutex = new Mutex()
  byFile.set(file, new WeakRef(mutex))
  return mutex
}
