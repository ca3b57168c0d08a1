/** A JSON object, which a list is not. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** A step of a JSON pointer inside of a URL. */
export const pointerStep = (step: string | number): string =>
  encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
