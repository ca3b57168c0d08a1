import {writeSync} from 'node:fs'
import {errnoOf} from '../../src/errors/system-reason.ts'

const clock = new Int32Array(new SharedArrayBuffer(4))

/** Writes a line to stdout before this process does anything else. Waits while the pipe is full. */
export function writeAtOnce(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}
