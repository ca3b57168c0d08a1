import {createHash} from 'node:crypto'

/** The idempotency key of a row: of job, row and content alone, so that any later run of the job has the same. */
export function rowKey(job: string, row: number, content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([job, row, content]))
    .digest('hex')
    .slice(0, 48)
}
