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

const REFERENCE = /(?<=^|\s)ref:[a-z]{20}(?:\/\d+of\d+)?(?=\s|$)/
const ROWS = /(?<=^|\s)rows:[a-z]{16}(?=\s|$)/
const RETRY = /(?<=^|\s)retry:(\S+)$/

export function marksIn(description: string): BatchMarks {
  const own = description.replace(REFERENCE, '').replace(ROWS, '').trim()
  return {
    reference: REFERENCE.exec(description)?.[0],
    rows: ROWS.exec(description)?.[0],
    retries: RETRY.exec(own)?.[1],
    plain: own.replace(RETRY, '').trim(),
  }
}
