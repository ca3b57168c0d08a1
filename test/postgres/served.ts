// `sandbox serve --store` in the process of a test, on a port of its own.
import {onTestFinished} from 'vitest'
import type {Home, RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

export interface ServedStore {
  readonly url: string
  /** Resolves when it has ended by itself or by a signal. */
  readonly ended: Promise<RunResult>
  status(path: string, init?: RequestInit): Promise<number>
  /** Changes an account. */
  write(name: string): Promise<number>
}

export async function serveStore(
  home: Home,
  store: string,
  {flags = [], env = {}}: {flags?: readonly string[]; env?: Record<string, string>} = {},
): Promise<ServedStore> {
  const port = await freePort()
  const stop = new AbortController()
  const argv = ['sandbox', 'serve', '--store', store, '--port', String(port), '-o', 'ndjson', ...flags]
  const ended = home.run(argv, {signal: stop.signal, env})
  onTestFinished(async () => {
    stop.abort('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  const status = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).status
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  for (;;) {
    if (isOver) throw new Error((await ended).stderr)
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) break
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  const write = (name: string) =>
    status('/v4/DEBIT/2002?auditUser=test', {
      method: 'PATCH',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({name}),
    })
  return {url, ended, status, write}
}
