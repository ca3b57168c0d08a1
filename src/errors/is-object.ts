/**
 * Whether a value from outside is an object with fields: no list, no null. Here, because every folder may import it.
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
