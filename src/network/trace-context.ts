/**
 * A trace that a caller began: https://www.w3.org/TR/trace-context/. It leads from a job through its requests and their
 * attempts to the calls that follow from them.
 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Whether the caller records the trace, and how its id was made, as two hexadecimal digits. */
  readonly flags: string
  /** What tracing systems add, as it came. */
  readonly state?: string | undefined
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** The flags that are known: sampled (1) and random (2). */
const KNOWN_FLAGS = 3
/** What a system must pass on at least. */
const LONGEST_STATE = 512
/** Lists of `key=value` in printable ASCII. */
const TRACESTATE = /^[\x20-\x7e]+$/

/** The trace that these values name. Undefined without one, and for one that isn't valid, as the standard says. */
export function readTraceContext(
  traceparent: string | undefined,
  tracestate?: string | undefined,
): TraceContext | undefined {
  const [, version, traceId = '', parent = '', flags = '', more] =
    TRACEPARENT.exec(traceparent?.trim() ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parent)) return undefined
  const isState =
    tracestate !== undefined && tracestate.length <= LONGEST_STATE && TRACESTATE.test(tracestate)
  return {
    traceId,
    flags: (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0'),
    ...(isState ? {state: tracestate} : {}),
  }
}

/** The trace that a person names: its 32 hexadecimal digits, or a whole TRACEPARENT. Undefined if it is neither. */
export function traceIdIn(text: string): string | undefined {
  const plain = text.trim().toLowerCase()
  const isId = /^[0-9a-f]{32}$/.test(plain) && !/^0+$/.test(plain)
  return isId ? plain : readTraceContext(plain)?.traceId
}

/**
 * The headers of a request in the trace.
 *
 * @param span of the request: 16 hexadecimal digits, not all 0. Each attempt has its own.
 */
export const traceHeaders = (
  {traceId, flags, state}: TraceContext,
  span: string,
): Record<string, string> => ({
  traceparent: `00-${traceId}-${span}-${flags}`,
  ...(state === undefined ? {} : {tracestate: state}),
})
