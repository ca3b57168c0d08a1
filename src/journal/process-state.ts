import {KEY_LIFE_MS} from './key-rules.ts'
import type {RequestRow} from './request-row.ts'

type Owner = Pick<RequestRow, 'pid' | 'process_mark' | 'begun_at'>

/**
 * A judge of whether the process behind an open request has ended. It asks once per process. One of another machine or
 * container can't be seen from here: its request counts as running for a day.
 */
export function goneJudge(options: {
  isAlive(pid: number, mark: string): boolean | undefined
  now: number
}): (row: Owner) => boolean {
  const known = new Map<string, boolean | undefined>()
  return row => {
    const name = `${row.pid}|${row.process_mark}`
    if (!known.has(name)) known.set(name, options.isAlive(row.pid, row.process_mark))
    const alive = known.get(name)
    return alive === undefined ? options.now - row.begun_at >= KEY_LIFE_MS : !alive
  }
}
