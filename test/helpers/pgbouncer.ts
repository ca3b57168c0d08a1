// PgBouncer in front of a server of the tests.
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {chownSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {onTestFinished} from 'vitest'
import {freePort} from './free-port.ts'
import {unprivileged} from './postgres.ts'

/** The version of a program, such as 1.18; undefined if there is none. */
export function pgbouncerVersion(program: string): number | undefined {
  const {stdout} = spawnSync(program, ['--version'], {encoding: 'utf8'})
  const [, version] = /PgBouncer (\d+\.\d+)/.exec(stdout ?? '') ?? []
  return version === undefined ? undefined : Number(version)
}

interface PoolerOptions {
  readonly program: string
  readonly mode: 'session' | 'transaction' | 'statement'
  /** Number of connections to the server. */
  readonly size: number
  readonly settings?: readonly string[]
}

/** @returns the URL of the database behind it. */
export async function startPgbouncer(
  url: string,
  {program, mode, size, settings = []}: PoolerOptions,
): Promise<string> {
  const place = new URL(url)
  const socket = place.searchParams.get('host') ?? ''
  const user = unprivileged()
  const folder = mkdtempSync(join(socket, 'pgbouncer-'))
  const port = await freePort()
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, {mode: 0o600})
    if (user) chownSync(file, user.uid, user.gid)
    return file
  }
  if (user) chownSync(folder, user.uid, user.gid)
  const config = write(
    'pgbouncer.ini',
    `[databases]
* = host=${socket} port=${place.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${write('users', '"app" ""\n')}
pool_mode = ${mode}
default_pool_size = ${size}
${settings.join('\n')}
`,
  )
  const child = spawn(program, ['-q', config], {...user, stdio: ['ignore', 'ignore', 'inherit']})
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, {recursive: true, force: true})
  })
  while (!(await listens(port))) await pause(20)
  return `postgres://app@127.0.0.1:${port}/app?sslmode=disable`
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.on('connect', end(true)).on('error', end(false))
  })
}
