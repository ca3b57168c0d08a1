/**
 * What went wrong first. At the end of a `using` block a file is closed; where that fails as well, as on a disk that has
 * become read-only, JavaScript puts both errors into a SuppressedError.
 */
export function firstError(error: unknown): unknown {
  const isSecond = error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
  return isSecond ? firstError(error.suppressed) : error
}
