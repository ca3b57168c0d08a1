/**
 * Whether a value holds objects or lists more than `limit` levels inside each other. Level by level, because a recursion
 * over hostile input would end in a stack overflow.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
