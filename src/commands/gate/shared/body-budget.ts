/** What two of the largest bodies have, and what a caller may add to that in a second. */
const MOST = 4 * 1024 * 1024
const PER_SECOND = 128 * 1024

/**
 * The bytes that a caller may have read. One process reads the bodies of all callers, so none may keep it busy.
 *
 * @param elapsed ms, of a clock that nobody sets.
 */
export function bodyBudget(elapsed: () => number = () => performance.now()): (bytes: number) => number {
  let left = MOST
  let at = elapsed()
  /** @returns how many seconds to wait; 0 if it was taken. */
  return bytes => {
    const now = elapsed()
    left = Math.min(MOST, left + ((now - at) / 1000) * PER_SECOND)
    at = now
    if (bytes > left) return Math.ceil((bytes - left) / PER_SECOND)
    left -= bytes
    return 0
  }
}
