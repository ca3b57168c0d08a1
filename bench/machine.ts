import {arch, cpus, loadavg, platform, totalmem} from 'node:os'
import process from 'node:process'

/** Describes the machine without anything that would identify it. */
export interface Machine {
  readonly processors: number
  readonly model: string
  readonly memory: string
  readonly system: string
  readonly node: string
  /** Processes that were ready to run, on average over the minute before the first benchmark. */
  readonly load: number
}

export function machine(): Machine {
  return {
    processors: cpus().length,
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${platform()} ${arch()}`,
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
