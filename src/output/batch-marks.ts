/** What cardctl has appended to the description of a batch. */
export interface BatchMarks {
  /** The reference of the request: `ref:…`, followed by `/2of3` for one of several batches. */
  readonly reference: string | undefined
  /** The digest of the rows: `rows:…`. */
  readonly rows: string | undefined
  /** The batch whose failed transfers it sends again. */
  readonly retries: string | undefined
  /** The reference of a set of batches that another machine began, and of which it is a further one: `rest:…`. */
  readonly restOf: string | undefined
  /** The batches of which it sends failed transfers that somebody may have corrected. */
  readonly fixes: readonly FixMark[]
  /** The description without all that. */
  readonly plain: string
}

/** `fixes:88003#abcde,fghij`: a batch, and letters for each of its transfers, unless there was no room for them. */
export interface FixMark {
  readonly batch: string
  readonly items: readonly string[] | undefined
}

const REFERENCE = /(?<=^|\s)ref:[a-z]{20}(?:\/\d+of\d+)?(?=\s|$)/i
const ROWS = /(?<=^|\s)rows:[a-z]{16}(?=\s|$)/i
/** What is left of them where the service has cut the description. */
const REST = /(?:^|\s)(?:ref|rows):[a-z]*(?:\/\w*)?$/i
const RETRY = /(?<=^|\s)retry:(\S+)$/
const REST_OF = /(?:^|\s)rest:([a-z]{20})(?=\s|$)/i
const FIXES = /(?<=^|\s)fixes:([^\s#]+)(?:#([a-z,]+))?(?=\s|$)/gi

/** Reads them also from a service that has cut the description or changed its letters to upper case. */
export function marksIn(description: string): BatchMarks {
  const [reference, rows, rest] = [REFERENCE, ROWS, REST].map(mark => mark.exec(description))
  const starts = [reference, rows, rest].flatMap(mark => mark?.index ?? [])
  const all = description.slice(0, Math.min(description.length, ...starts)).trim()
  const set = REST_OF.exec(all)?.[1]?.toLowerCase()
  const own = all.replace(REST_OF, '').trim()
  return {
    reference: reference?.[0].toLowerCase(),
    rows: rows?.[0].toLowerCase(),
    retries: RETRY.exec(own)?.[1],
    restOf: set === undefined ? undefined : `ref:${set}`,
    fixes: [...own.matchAll(FIXES)].map(([, batch = '', items]) => ({
      batch,
      items: items?.toLowerCase().split(','),
    })),
    plain: own.replace(RETRY, '').replaceAll(FIXES, '').trim(),
  }
}
