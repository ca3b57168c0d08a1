// Installs the packed tool for everybody, as docs/installation.md shows, and starts it under real releases of Node.js. Needs
// the registry of npm.
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

/** The last release of each line, and those around the oldest that is taken. */
const REFUSED = ['10.24.1', '14.21.3', '16.20.2', '18.20.8', '20.20.2', '22.23.3', '24.0.0', '24.14.1']
const TAKEN = ['24.15.0', '24.21.0', '25.9.0', '26.10.0']
/** A Node.js with an npm of its time, which installs although the tool asks for a newer Node.js. */
const [OLD_NODE, ITS_NPM] = ['18.20.8', '10.8.2']

const REFUSAL =
  /^cardctl needs Node\.js 24\.15 or later, and \S+ is [\d.]+: install a newer one from https:\/\/nodejs\.org, or install cardctl with its own runtime\.\n$/

const folder = mkdtempSync(join(tmpdir(), 'cardctl-nodes-'))
const prefix = join(folder, 'prefix')
const program = join(prefix, 'bin/cardctl')
let failed = 0

try {
  const archive = download('.', '--ignore-scripts')
  const npm = join(unpacked(`npm@${ITS_NPM}`), 'bin/npm-cli.js')
  const node = runtime(OLD_NODE)
  const installed = exec(node, npm, 'install', '--global', '--prefix', prefix, '--no-audit', archive)
  expectThat(`npm ${ITS_NPM} installs it under ${OLD_NODE}`, installed.code === 0, installed.stderr)
  expectThat('npm warns about the version', installed.stderr.includes('EBADENGINE'), installed.stderr)

  for (const version of REFUSED) {
    const {code, stdout, stderr} = exec(runtime(version), program, '--version')
    expectThat(`${version} refuses`, code === 3 && stdout === '' && REFUSAL.test(stderr), stderr)
  }
  for (const version of TAKEN) {
    const home = join(folder, `home-${version}`)
    mkdirSync(home)
    const env = {HOME: home, PATH: process.env.PATH ?? '', CARDCTL_PROFILE: 'sandbox'}
    const run = (...argv: string[]) => execWith(env, runtime(version), program, ...argv)
    for (const argv of [
      ['--version'],
      ['cards', 'get', '3001', '-o', 'json'],
      ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000'],
      ['requests', 'list', '-o', 'csv'],
      ['tour'],
      ['data', 'where'],
    ]) {
      const {code, stdout, stderr} = run(...argv)
      expectThat(
        `${version} runs ${argv.join(' ')}`,
        code === 0 && stdout !== '' && !/Warning/.test(stderr),
        stderr,
      )
    }
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.exitCode = failed > 0 ? 1 : 0

/** Downloads a package and returns its archive. */
function download(name: string, ...flags: string[]): string {
  const target = mkdtempSync(join(folder, 'archive-'))
  const {code, stderr} = exec('npm', 'pack', '--silent', '--pack-destination', target, ...flags, name)
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
