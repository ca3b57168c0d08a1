/** What cardctl has appended to the description of a batch. */
export interface BatchMarks {
  /** The reference of the request: `ref:…`, followed by `/2of3` for one of several batches. */
  readonly reference: string | undefined
  /** The digest of the rows: `rows:…`. */
  readonly rows: string | undefined
  /** The batch whose failed transfers it sends again. */
  readonly retries: string | undefined
  /** The description without all that. */
  readonly plain: string
}

const REFERENCE = /(?<=^|\s)ref:[a-z]{20}(?:\/\d+of\d+)?(?=\s|$)/i
const ROWS = /(?<=^|\s)rows:[a-z]{16}(?=\s|$)/i
/** What is left of them where the service has cut the description. */
const REST = /(?:^|\s)(?:ref|rows):[a-z]*(?:\/\w*)?$/i
const RETRY = /(?<=^|\s)retry:(\S+)$/

/** Reads them also from a service that has cut the description or changed its letters to upper case. */
export function marksIn(description: string): BatchMarks {
  const [reference, rows, rest] = [REFERENCE, ROWS, REST].map(mark => mark.exec(description))
  const starts = [reference, rows, rest].flatMap(mark => mark?.index ?? [])
  const own = description.slice(0, Math.min(description.length, ...starts)).trim()
  return {
    reference: reference?.[0].toLowerCase(),
    rows: rows?.[0].toLowerCase(),
    retries: RETRY.exec(own)?.[1],
    plain: own.replace(RETRY, '').trim(),
  }
}
