// The example endpoints, certified as docs/webhook-tests.md says: with a probe and a restart as commands.
import {spawn, spawnSync} from 'node:child_process'
import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

const FOLDER = fileURLToPath(new URL('../../examples/endpoints/', import.meta.url))

const isThere = (program: string) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).error === undefined

const PROGRAMS = mkdtempSync(join(tmpdir(), 'cardctl-programs-'))
afterAll(() => rmSync(PROGRAMS, {recursive: true, force: true}))

/** Compiles an endpoint once, if that is possible here: a restart and a probe must not wait for it. */
function compiled(file: string, build: string, command: string): string {
  if (!existsSync(join(FOLDER, file)) || !isThere(build.split(' ')[0] ?? '')) return command
  const {status, stderr} = spawnSync('sh', ['-c', build], {cwd: FOLDER, encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  return command
}

const endpoints = [
  [
    'TypeScript',
    'endpoint.ts',
    process.execPath,
    `'${process.execPath}' --disable-warning=ExperimentalWarning endpoint.ts`,
  ],
  ['Python', 'endpoint.py', 'python3', 'python3 endpoint.py'],
  [
    'Go',
    'endpoint.go',
    'go',
    compiled('endpoint.go', `go build -o ${PROGRAMS}/endpoint endpoint.go`, `${PROGRAMS}/endpoint`),
  ],
  [
    'Java',
    'Endpoint.java',
    'javac',
    compiled('Endpoint.java', `javac -d ${PROGRAMS} Endpoint.java`, `java -cp ${PROGRAMS} Endpoint`),
  ],
] as const

/** The 10,000 calls of a whole certificate are for by hand. */
const CALLS = '60'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

async function running(command: string) {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cardctl-certify-'))
  const port = await freePort()
  const script = join(folder, 'restart.sh')
  const group = join(folder, 'group')
  const stop = `[ -f ${group} ] && kill -9 -$(cat ${group}) 2>/dev/null`
  // A group of its own, because go run starts another process.
  await writeFile(
    script,
    `${stop}\ncd '${FOLDER}'\nsetsid sh -c 'echo $$ > ${group}; exec "$@"' - ${command} serve ${port} ${folder}/holds.db &\n`,
  )
  const began = spawn('sh', [script], {stdio: 'ignore'})
  onTestFinished(async () => {
    began.kill()
    spawnSync('sh', ['-c', stop])
    await rm(folder, {recursive: true, force: true, maxRetries: 10})
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/warm-up`, {method: 'POST', body: '{}'}).then(
          ({status}) => status,
          () => 0,
        ),
      {
        timeout: 60_000,
      },
    )
    .toBe(200)
  const probe = `cd '${FOLDER}' && ${command} probe ${folder}/holds.db`
  return {url, folder, flags: ['--probe', probe, '--restart', `sh ${script}`]}
}

interface Shown {
  readonly result: string
  readonly sha256: string
  readonly checks: readonly {name: string; state: string; reason?: string; basis: readonly string[]}[]
}

describe.each(endpoints)('the endpoint in %s', (_, file, program, command) => {
  const given = test.skipIf(!existsSync(join(FOLDER, file)) || !isThere(program))

  given('passes every check, with reports of the same data', {timeout: 300_000}, async () => {
    const {url, folder, flags} = await running(command)
    const reports = ['html', 'markdown', 'json'].flatMap(kind => [
      '--report',
      `${kind}=${join(folder, kind)}`,
    ])
    // A busy machine is no fault of the endpoint, so it has much time.
    const argv = ['--to', url, '--deadline', '60s', '--calls', CALLS, '--rate', '30', ...flags, ...reports]
    const shown = await home.json<Shown>(['webhook', 'certify', ...argv])
    expect(shown.checks.filter(({state}) => state === 'failed')).toEqual([])
    const open = shown.checks.filter(({state}) => state === 'not checked')
    expect(new Set(open.map(({reason}) => reason))).toEqual(
      new Set([
        'calls are sent without the credential or signature that it needs',
        `it needs 10000 calls, and --calls was ${CALLS}`,
      ]),
    )
    expect(shown.result).toBe('incomplete')
    expect(shown.checks.filter(({basis}) => basis.length === 0).map(({name}) => name)).toEqual([])
    expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8'))).toEqual(shown)
    const page = await readFile(join(folder, 'html'), 'utf8')
    const markdown = await readFile(join(folder, 'markdown'), 'utf8')
    for (const text of [page, markdown]) {
      expect(text).toContain(shown.sha256)
      expect(text).toContain('incomplete: nothing failed, but not everything was checked')
      expect(text).toContain('the same call 20 times at once: decided once')
    }
    expect(page).not.toMatch(/<script|<link|<img|http-equiv="refresh"/i)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(0)
    const changed = (await readFile(join(folder, 'json'), 'utf8')).replace('"incomplete"', '"passed"')
    await writeFile(join(folder, 'json'), changed)
    expect((await home.run(['webhook', 'certify', '--verify', join(folder, 'json')])).code).toBe(11)
  })
})
