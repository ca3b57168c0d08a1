export interface Limiter {
  /** Runs `work` in its turn. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when at most twice as many wait as may run at a time. */
  short(): Promise<void>
}

/** Lets a limited number through at a time, in the order in which they asked. */
export function limiter(limit: number): Limiter {
  const waiting: (() => void)[] = []
  let watchers: (() => void)[] = []
  let free = limit
  const isShort = (): boolean => waiting.length <= 2 * limit
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
    if (!isShort()) return
    for (const resolve of watchers) resolve()
    watchers = []
  }
  return {
    async run(work) {
      if (free > 0) free--
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work()
      } finally {
        leave()
      }
    },
    async short() {
      if (!isShort()) await new Promise<void>(resolve => watchers.push(resolve))
    },
  }
}
