import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

const SOURCES = fileURLToPath(new URL('../../bin/dev.mjs', import.meta.url))

export interface ServeProcess {
  readonly child: ChildProcess
  readonly url: string
  stderr(): string
}

/** `webhook serve` in a process of its own, its files in `home`; `limit` is a line of bash before it: `ulimit -f 64`. */
export async function serveProcess(
  home: string,
  flags: readonly string[],
  {program = SOURCES, limit = ':'}: {readonly program?: string; readonly limit?: string} = {},
): Promise<ServeProcess> {
  const argv = [process.execPath, program, 'webhook', 'serve', ...flags, '-o', 'ndjson']
  const child = spawn('bash', ['-c', `${limit}; exec "$@"`, 'bash', ...argv], {
    env: {PATH: process.env.PATH ?? '', HOME: home, CARDCTL_DATA_DIR: home},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const lines = createInterface({input: child.stdout})
  const [first] = (await once(lines, 'line')) as [string]
  lines.on('line', () => undefined)
  return {child, url: (JSON.parse(first) as {url: string}).url, stderr: () => stderr}
}
