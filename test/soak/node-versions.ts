// Installs the npm package for everybody, as docs/installation.md shows, with npm and Node.js of each line, and starts it
// under real releases of Node.js. Needs the registry of npm.
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import pjson from '../../package.json' with {type: 'json'}

/** Too old for anything but a refusal. */
const REFUSED = ['10.24.1', '14.21.3', '16.20.2']
/** Those that hand over to the runtime that comes with the package: the last of each line, and those before the oldest that runs it. */
const HAND_OVER = ['18.20.8', '20.20.2', '22.23.3', '24.0.0', '24.14.1']
const RUN_IT = ['24.15.0', '24.21.0', '25.9.0', '26.10.0']
/** A Node.js and an npm of its time. */
const INSTALLERS = [
  ['18.20.8', '10.8.2'],
  ['22.23.3', '10.9.9'],
  ['24.21.0', '11.21.2'],
] as const

const REFUSAL =
  /^cardctl needs Node\.js 24\.15 or later, and \S+ is [\d.]+\. Install a newer Node\.js from https:\/\/nodejs\.org\.\n$/
const WITHOUT_RUNTIME = /^cardctl needs Node\.js .* install cardctl again without --omit=optional/

const LINES = [
  ['--version'],
  ['cards', 'get', '3001', '-o', 'json'],
  ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000'],
  ['requests', 'list', '-o', 'csv'],
  ['tour'],
  ['data', 'where'],
]

const folder = mkdtempSync(join(tmpdir(), 'cardctl-nodes-'))
let failed = 0

try {
  exec('node', 'tools/package.ts', '--platform', 'npm', '--out', folder)
  const archive = join(folder, `cardctl-${pjson.version}.tgz`)
  const installed = INSTALLERS.map(([nodeVersion, npmVersion]) => {
    const prefix = join(folder, `prefix-${npmVersion}`)
    const npm = join(unpacked(`npm@${npmVersion}`), 'bin/npm-cli.js')
    const began = Date.now()
    const flags = ['--global', '--ignore-scripts', '--no-audit', '--prefix', prefix]
    const {code, stderr} = exec(runtime(nodeVersion), npm, 'install', ...flags, archive)
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    expectThat(
      `npm ${npmVersion} installs it under ${nodeVersion} without scripts, in ${seconds} s`,
      code === 0 && !stderr.includes('EBADENGINE'),
      stderr,
    )
    tryAll(nodeVersion, join(prefix, 'bin/cardctl'))
    return prefix
  })
  const [prefix = ''] = installed
  const program = join(prefix, 'bin/cardctl')
  for (const version of REFUSED) {
    const {code, stdout, stderr} = exec(runtime(version), program, '--version')
    expectThat(`${version} refuses`, code === 3 && stdout === '' && REFUSAL.test(stderr), stderr)
  }
  for (const version of [...HAND_OVER, ...RUN_IT]) tryAll(version, program)

  rmSync(join(prefix, 'lib/node_modules/cardctl/node_modules', `node-${process.platform}-${process.arch}`), {
    recursive: true,
  })
  for (const version of HAND_OVER) {
    const {code, stderr} = exec(runtime(version), program, '--version')
    expectThat(
      `${version} says that the runtime is missing`,
      code === 3 && WITHOUT_RUNTIME.test(stderr),
      stderr,
    )
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.exitCode = failed > 0 ? 1 : 0

/** Runs reads and a write with a home of their own. */
function tryAll(version: string, program: string): void {
  const home = mkdtempSync(join(folder, 'home-'))
  const env = {HOME: home, PATH: process.env.PATH ?? '', CARDCTL_PROFILE: 'sandbox'}
  for (const argv of LINES) {
    const {code, stdout, stderr} = execWith(env, runtime(version), program, ...argv)
    const isRight = code === 0 && stdout !== '' && !/Warning/.test(stderr)
    expectThat(`${version} runs ${argv.join(' ')}`, isRight, stderr)
  }
}

/** Downloads a package and returns its archive. */
function download(name: string): string {
  const target = mkdtempSync(join(folder, 'archive-'))
  const {code, stderr} = exec('npm', 'pack', '--silent', '--pack-destination', target, name)
  if (code !== 0) throw new Error(`npm pack ${name}: ${stderr}`)
  return join(target, readdirSync(target)[0] ?? '')
}

function unpacked(name: string): string {
  const target = join(folder, name.replaceAll('/', '-'))
  if (!existsSync(target)) {
    mkdirSync(target)
    exec('tar', '-xzf', download(name), '-C', target)
  }
  return join(target, 'package')
}

function runtime(version: string): string {
  return join(unpacked(`node-${process.platform}-${process.arch}@${version}`), 'bin/node')
}

/** With the settings of npm, which may be in the environment. */
function exec(command: string, ...argv: string[]) {
  return execWith(process.env, command, ...argv)
}

function execWith(env: NodeJS.ProcessEnv, command: string, ...argv: string[]) {
  const {status, stdout, stderr, error} = spawnSync(command, argv, {env, encoding: 'utf8'})
  return {code: status, stdout, stderr: `${error?.message ?? ''}${stderr}`}
}

function expectThat(claim: string, isTrue: boolean, shown: string): void {
  if (!isTrue) failed++
  process.stdout.write(`${isTrue ? 'ok' : `FAILED: ${shown.slice(0, 500)}`}  ${claim}\n`)
}
