// `cardctl sandbox serve --tenants` as a process of its own, as systemd starts it.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {onTestFinished} from 'vitest'
import {BINARY, emptyHome, plainEnv} from './binary.ts'

export interface ServedProcess {
  readonly child: ChildProcess
  readonly url: string
  /** Ends it. @returns its exit code, or the signal that killed it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals>
}

/** Starts a process and waits until it listens. It is killed at the end of the test if it still runs. */
export async function serveTenants(
  database: string,
  port = 0,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<ServedProcess> {
  const home = await emptyHome()
  const argv = ['sandbox', 'serve', '--tenants', '--store', 'env:DATABASE_URL', '--port', String(port)]
  const child = spawn(process.execPath, [BINARY, ...argv, ...more, '-o', 'ndjson'], {
    env: plainEnv(home, {DATABASE_URL: database, ...env}),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({input: child.stdout})
  const [first] = (await once(lines, 'line')) as [string]
  return {
    child,
    url: (JSON.parse(first) as {url: string}).url,
    end: async signal => {
      const gone = once(child, 'exit')
      child.kill(signal)
      const [code, by] = (await gone) as [number | null, NodeJS.Signals]
      return code ?? by
    },
  }
}
