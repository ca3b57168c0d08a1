import {memberAt} from '../members.ts'
import {numberAt, textAt} from '../read-member.ts'
import {sentence, type View} from '../view.ts'

/** What was removed, and of what stays why it does. */
export interface PruneReport {
  /** What is counted, in the plural: `requests`. */
  readonly what: string
  readonly removed: number
  readonly kept: readonly {readonly count: number; readonly why: string}[]
  /** By how much the file became smaller. */
  readonly freedBytes: number
}

export const prunedView: View = (report, context) => {
  const kept = memberAt(report, 'kept')
  const lines = (Array.isArray(kept) ? kept : []).map(
    each => `Kept ${numberAt(each, 'count') ?? 0}: ${textAt(each, 'why')}.`,
  )
  const freed = numberAt(report, 'freedBytes') ?? 0
  const smaller = freed === 0 ? '' : ` The file is ${sizeOf(freed)} smaller.`
  return [`Removed ${numberAt(report, 'removed') ?? 0} ${textAt(report, 'what')}.${smaller}`, ...lines]
    .map(line => sentence(line, context))
    .join('\n')
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
