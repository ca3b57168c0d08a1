// Starts the example endpoints with a probe and a restart as commands, as docs/webhook-tests.md says.
import {spawn, spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {freePort} from '../helpers/free-port.ts'

const FOLDER = fileURLToPath(new URL('../../examples/endpoints/', import.meta.url))

/** In memory where there is such a folder: the disk of a test machine may stall. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface ExampleEndpoint {
  readonly language: string
  /** What must be installed. */
  readonly program: string
  /** Compiles it into a folder: a restart and a probe must not wait for that. */
  readonly build?: (folder: string) => string
  readonly command: (folder: string) => string
}

export const exampleEndpoints: readonly ExampleEndpoint[] = [
  {
    language: 'TypeScript',
    program: process.execPath,
    command: () => `'${process.execPath}' --disable-warning=ExperimentalWarning endpoint.ts`,
  },
  {language: 'Python', program: 'python3', command: () => 'python3 endpoint.py'},
  {
    language: 'Go',
    program: 'go',
    build: folder => `go build -o ${folder}/endpoint endpoint.go`,
    command: folder => `${folder}/endpoint`,
  },
  {
    language: 'Java',
    program: 'javac',
    build: folder => `javac -d ${folder} Endpoint.java`,
    command: folder => `java -cp ${folder} Endpoint`,
  },
]

export const isInstalled = ({program}: ExampleEndpoint): boolean =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).error === undefined

export interface RunningEndpoint {
  readonly url: string
  /** For the files of a test. */
  readonly folder: string
  /** `--probe` and `--restart` for `webhook certify`. */
  readonly flags: readonly string[]
  stop(): Promise<void>
}

/** With a key, the endpoint requires signatures. A restart gets no variables of credentials, so the script sets it. */
export async function runEndpoint({build, command}: ExampleEndpoint, key?: string): Promise<RunningEndpoint> {
  const folder = await mkdtemp(join(PARENT, 'cardctl-certify-'))
  if (build) {
    const {status, stderr} = spawnSync('sh', ['-c', build(folder)], {cwd: FOLDER, encoding: 'utf8'})
    if (status !== 0) throw new Error(stderr)
  }
  const port = await freePort()
  const script = join(folder, 'restart.sh')
  const group = join(folder, 'group')
  // A large process that was killed has its port and its lock for a moment longer.
  const gone = 'for i in $(seq 100); do kill -0 -$G 2>/dev/null || break; sleep 0.05; done'
  const end = `if [ -f ${group} ]; then G=$(cat ${group}); kill -9 -$G 2>/dev/null; ${gone}; fi`
  // A group of its own, because go run starts another process.
  await writeFile(
    script,
    `${end}\n${key === undefined ? '' : `export WEBHOOK_KEY='${key}'\n`}cd '${FOLDER}'\nsetsid sh -c 'echo $$ > ${group}; exec "$@"' - ${command(folder)} serve ${port} ${folder}/holds.db &\n`,
  )
  spawn('sh', [script], {stdio: 'ignore'})
  const stop = async () => {
    spawnSync('sh', ['-c', end])
    await rm(folder, {recursive: true, force: true, maxRetries: 10})
  }
  const url = `http://127.0.0.1:${port}`
  if (!(await answers(url, key === undefined ? 200 : 401))) {
    await stop()
    throw new Error('The endpoint does not answer.')
  }
  const probe = `cd '${FOLDER}' && ${command(folder)} probe ${folder}/holds.db`
  return {url, folder, flags: ['--probe', probe, '--restart', `sh ${script}`], stop}
}

async function answers(url: string, status: number): Promise<boolean> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const response = await fetch(`${url}/warm-up`, {method: 'POST', body: '{}'}).catch(() => undefined)
    if (response?.status === status) return true
    await delay(100)
  }
  return false
}

/** A part of the certificate as JSON. */
export interface ShownCertificate {
  readonly result: string
  readonly sha256: string
  readonly checks: readonly {name: string; state: string; reason?: string; basis: readonly string[]}[]
}

/** The flags of a short certificate. A busy machine is no fault of the endpoint, so it has much time. */
export const SHORT = ['--deadline', '60s', '--calls', '60', '--rate', '30']
