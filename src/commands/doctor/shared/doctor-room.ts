import type * as doctor from '../../../doctor/index.ts'

/** The room, once its door was opened. */
export type Doctor = typeof doctor
