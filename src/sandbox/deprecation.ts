import type {Operation} from '../contract/operation.ts'

/** The day the sandbox says the older versions were deprecated; the outline gives none. */
const DEPRECATED_SINCE = Date.UTC(2024, 0, 1) / 1000

/** `Deprecation` (RFC 9745) on every reply of a deprecated operation. */
export function deprecationHeaders(operation: Operation): Record<string, string> {
  return operation.deprecated ? {deprecation: `@${DEPRECATED_SINCE}`} : {}
}
