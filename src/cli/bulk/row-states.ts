import type {RowState} from '../../bulk/index.ts'

const words = {
  waiting: true,
  sent: true,
  again: true,
  done: true,
  failed: true,
  unknown: true,
  held: true,
} as const satisfies Record<RowState, true>

/** Every state that a row can have. */
export const ROW_STATES = Object.keys(words) as readonly RowState[]
