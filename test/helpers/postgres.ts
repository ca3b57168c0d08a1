// A PostgreSQL server of the tests' own: in a temporary folder, reached by a socket, as an unprivileged user.
import {execFileSync, spawnSync} from 'node:child_process'
import {chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir, userInfo} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a migrated database; undefined if PostgreSQL is not installed, or the project has none. */
    postgres: string | undefined
  }
}

/** Names the data that a new server begins with: a copy takes a tenth of the time that initdb does. */
export const MODEL = 'CARDCTL_TEST_POSTGRES'

export interface Cluster {
  /** Its files. */
  readonly data: string
  /** For a role that may create roles and schemas, but is no superuser. */
  readonly url: string
  /** Runs a program of PostgreSQL as its superuser, such as pg_dump. @returns what it printed. */
  run(program: string, ...args: string[]): string
  start(): void
  /** @param how `immediate` doesn't wait for anything, like a crash. */
  stop(how?: 'fast' | 'immediate'): void
  /** Stops its processes where they are, as a machine that hangs. @returns what lets them run again. */
  freeze(): () => void
  /** A standby that follows without being waited for. */
  standby(): Standby
  /** Stops the server and removes its folder. */
  remove(): void
}

/** A copy of a server that is kept up to date by its log. */
export interface Standby {
  /** Waits until it has everything, and then lets it get no more. */
  cutOff(): void
  /** Becomes the server, in the place of the one that was stopped. */
  takeOver(): void
  /** Becomes a server of its own, where it is. */
  promote(): void
  /** The folder of its socket. */
  readonly socket: string
}

const PROGRAM = 'pg_ctl'

/** Where Debian keeps the programs of each version. */
const DEBIAN = '/usr/lib/postgresql'

/** The folder of the programs of PostgreSQL, empty if they are in the PATH; undefined if it is not installed. */
export function programs(): string | undefined {
  const found = spawnSync(PROGRAM, ['--version'])
  if (found.status === 0) return ''
  try {
    const [newest] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    return newest && join(DEBIAN, newest, 'bin/')
  } catch {
    return undefined
  }
}

/** Whether PostgreSQL is installed. */
export const hasPostgres = (): boolean => programs() !== undefined

/** PostgreSQL and its poolers refuse to run as root. */
export function unprivileged(): {uid: number; gid: number} | undefined {
  if (userInfo().uid !== 0) return undefined
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], {encoding: 'utf8'}))
  return {uid: id('-u'), gid: id('-g')}
}

/** The server of a data folder and its children. */
function processesIn(data: string): readonly number[] {
  const [main] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  const children = execFileSync('pgrep', ['-P', String(main)], {encoding: 'utf8'})
  return [main, ...children.split('\n')].filter(Boolean).map(Number)
}

export interface ClusterOptions {
  /** Also listens on 127.0.0.1, with TLS, at this port. */
  readonly tlsPort?: number
  /** PEM files by their names in the data folder. Only PostgreSQL may read them. */
  readonly files?: Readonly<Record<string, string>>
  /** Lines of pg_hba.conf that come first. */
  readonly access?: readonly string[]
  /** The folder for its folder. */
  readonly within?: string
}

const TLS = 'ssl=on ssl_cert_file=server.pem ssl_key_file=server.key ssl_ca_file=ca.pem'

/** @returns undefined if PostgreSQL is not installed. */
export function startCluster(options: ClusterOptions = {}): Cluster | undefined {
  const {tlsPort, files = {}, access = [], within} = options
  const bin = programs()
  if (bin === undefined) return undefined
  // The folder of this run is closed to the other user.
  const folder = mkdtempSync(
    join(within ?? (tmpdir().startsWith('/dev/shm') ? '/dev/shm' : '/tmp'), 'cardctl-pg-'),
  )
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = tlsPort ?? 5432
  const server = ['-h', folder, '-p', String(port), '-U', 'postgres']
  const run = (program: string, ...args: string[]) =>
    execFileSync(`${bin}${program}`, args, {...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit']})
  const query = (folderOf: string, sql: string) =>
    execFileSync(`${bin}psql`, ['-h', folderOf, '-p', String(port), '-U', 'postgres', '-qAt', '-c', sql], {
      ...user,
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  const standby = (): Standby => {
    const copy = join(folder, 'standby')
    const own = mkdtempSync(join(folder, 'socket-'))
    if (user) chownSync(own, user.uid, user.gid)
    const startCopy = (socket: string, ...settings: string[]) => {
      const all = [`-k ${socket}`, `-c port=${port}`, '-c max_connections=200', ...settings].join(' ')
      run(PROGRAM, '-D', copy, '-w', '-l', join(folder, 'standby.log'), '-o', all, 'start')
    }
    const stopCopy = (how: string) =>
      spawnSync(`${bin}${PROGRAM}`, ['-D', copy, '-w', '-m', how, 'stop'], {...user, cwd: folder})
    run('pg_basebackup', '-D', copy, '-R', '--no-sync', '-c', 'fast', ...server)
    startCopy(own, '-c listen_addresses=')
    copies.push(stopCopy)
    return {
      cutOff: () => {
        const here = query(folder, 'SELECT pg_current_wal_lsn()')
        const isThere = `SELECT pg_last_wal_replay_lsn() >= '${here}'`
        while (query(own, isThere) !== 't') execFileSync('sleep', ['0.05'])
        stopCopy('fast')
      },
      takeOver: () => {
        startCopy(folder, '-c primary_conninfo=', ...listen.map(each => `-c ${each}`))
        run(PROGRAM, '-D', copy, '-w', 'promote')
      },
      promote: () => run(PROGRAM, '-D', copy, '-w', 'promote'),
      socket: own,
    }
  }
  const copies: ((how: string) => unknown)[] = []
  const listen =
    tlsPort === undefined
      ? ['listen_addresses=']
      : ['listen_addresses=127.0.0.1', `port=${tlsPort}`, ...TLS.split(' ')]
  const start = () => {
    const settings = [`-k ${folder}`, ...['max_connections=200', ...listen].map(each => `-c ${each}`)].join(
      ' ',
    )
    run(PROGRAM, '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start')
  }
  const model = process.env[MODEL]
  if (model === undefined)
    run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync')
  else execFileSync('cp', ['-a', model, data])
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, {mode: 0o600})
    if (user) chownSync(join(data, name), user.uid, user.gid)
  }
  const hba = join(data, 'pg_hba.conf')
  writeFileSync(hba, [...access, readFileSync(hba, 'utf8')].join('\n'))
  start()
  const sql = 'CREATE ROLE app LOGIN CREATEROLE; CREATE DATABASE app OWNER app;'
  for (const statement of model === undefined ? sql.split(';').filter(Boolean) : []) {
    run('psql', '-q', ...server, '-c', statement, 'postgres')
  }
  return {
    data,
    url: `postgres://app@localhost:${port}/app?host=${encodeURIComponent(folder)}`,
    run: (program, ...args) =>
      execFileSync(`${bin}${program}`, [...server, ...args], {
        ...user,
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1024 ** 3,
      }),
    start,
    stop: (how = 'fast') => void run(PROGRAM, '-D', data, '-w', '-m', how, 'stop'),
    freeze: () => {
      let all = processesIn(data)
      for (const id of all) process.kill(id, 'SIGSTOP')
      return () => {
        for (const id of all) process.kill(id, 'SIGCONT')
        all = []
      }
    },
    standby,
    remove: () => {
      for (const stop of copies) stop('immediate')
      spawnSync(`${bin}${PROGRAM}`, ['-D', data, '-w', '-m', 'immediate', 'stop'], {...user, cwd: folder})
      rmSync(folder, {recursive: true, force: true})
    },
  }
}
