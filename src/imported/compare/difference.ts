export type Side = 'request' | 'answer' | 'operation'
export type Change = 'added' | 'removed' | 'changed' | 'deprecated'

/** One thing that is different, as it matters to somebody who calls the operation. */
export interface Difference {
  readonly side: Side
  readonly change: Change
  /** `path:id`, `query:size`, or a JSON pointer into the body; `*` stands for every item. Empty for the whole. */
  readonly pointer: string
  readonly message: string
  /** What was sent before is refused now, or an answer lacks what a command needs. */
  readonly breaks: boolean
}
