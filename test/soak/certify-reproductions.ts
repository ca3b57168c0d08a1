// Each planted fault that a certificate finds by calls: the lines that it prints are pasted into a shell, once against the
// endpoint with the fault and once against the right one. They show the fault if what comes differs. FAULT chooses by a part of its
// description.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {runEndpoint} from '../examples/certified-endpoints.ts'
import {
  certifiedFault,
  EXAMPLE,
  type Planted,
  patched,
  plantedFaults,
  SUITES,
} from '../webhook/certify/planted.ts'

const KEY = 'made-up key'
const NODE = `'${process.execPath}' --disable-warning=ExperimentalWarning`

/** What a shell shows of the lines, for an endpoint that was just started. */
async function pasted(source: string, lines: readonly string[], key?: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cardctl-pasted-'))
  const file = join(folder, 'endpoint.ts')
  writeFileSync(file, source)
  const run = await runEndpoint(
    {language: 'TypeScript', program: process.execPath, command: () => `${NODE} ${file}`},
    key,
  )
  try {
    const text = lines.join('\n').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, run.url)
    const port = new URL(run.url).port
    const script = text.replaceAll(/127\.0\.0\.1([:/])\d+/g, `127.0.0.1$1${port}`)
    const restart = run.flags[3] ?? ''
    const env = {PATH: process.env.PATH, KEY, RESTART: restart}
    const {stdout, stderr} = spawnSync('bash', ['-c', script], {encoding: 'utf8', env, timeout: 300_000})
    return `${stdout}${stderr}`.replaceAll(/N=\d+|\d{19}|127\.0\.0\.1.\d+/g, 'N')
  } finally {
    await run.stop()
    rmSync(folder, {recursive: true})
  }
}

async function shows(planted: Planted): Promise<string> {
  const {checks} = await certifiedFault(planted, {
    suites: planted.suite ? SUITES : [],
    withoutProbe: !planted.needsProbe,
  })
  const failed = checks.find(({state}) => state === 'failed')
  if (failed === undefined) return 'NOT FOUND'
  const lines = failed.reproduction?.curl ?? []
  if (lines.length === 0) return `NO LINES: ${failed.part}: ${failed.name}`
  if (/cardctl webhook/.test(lines.join())) return `by a command: ${lines.join('; ')}`
  const faulty = await pasted(patched(planted.patch), lines)
  const right = await pasted(EXAMPLE, lines, planted.isSigned ? KEY : undefined)
  if (process.env.FAULT !== undefined) {
    process.stdout.write(`${lines.join('\n')}\n--- with the fault\n${faulty}--- right\n${right}`)
  }
  return faulty === right ? `NOT SHOWN: ${failed.name}` : `shown: ${lines.length} lines`
}

let missed = 0
for (const planted of plantedFaults.filter(({fault}) => fault.includes(process.env.FAULT ?? ''))) {
  const how = await shows(planted)
  if (/^N/.test(how)) missed++
  process.stdout.write(`${how}  ${planted.rule}: ${planted.fault}\n`)
}
process.exitCode = missed > 0 ? 1 : 0
