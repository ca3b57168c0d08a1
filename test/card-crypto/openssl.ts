import {execFileSync} from 'node:child_process'

/** Whether openssl can be run here. Without it its tests are skipped and counted; where CI runs, that is an error. */
export const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], {stdio: 'ignore'})
    return true
  } catch {
    if (process.env.CI) throw new Error('openssl is needed under CI')
    return false
  }
})()

export function openssl(args: readonly string[], input: string | Uint8Array = ''): Buffer {
  return execFileSync('openssl', args, {input, stdio: ['pipe', 'pipe', 'ignore']})
}
