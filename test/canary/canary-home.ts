import {mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {Encrypter} from 'age-encryption'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {canaries, leaksIn} from './canaries.ts'
import {type LeakyService, type Mode, openLeakyService} from './leaky-service.ts'

/** The ways of proving who asks, each with its own secret. */
export const PROFILES = ['bearer', 'basic', 'header', 'oauth2'] as const
export type ProfileName = (typeof PROFILES)[number]

/** A home with profiles at a service that spills, whose every run is searched for secrets. */
export interface CanaryHome extends Home {
  readonly service: LeakyService
  /** Runs a line against the service in a mode, and gives what was found in what it printed. */
  leaks(
    argv: readonly string[],
    options: RunOptions & {mode: Mode; profile: ProfileName},
  ): Promise<readonly string[]>
  /** What ran so far, as typed, with its exit code. */
  readonly ran: readonly {readonly argv: readonly string[]; readonly code: number}[]
  /** Every file below the home, folders for temporary files included, and what was found in it. */
  files(): readonly {readonly path: string; readonly leaks: readonly string[]}[]
}

/** A second goes into each key that is made of a passphrase; what is searched is the same without. */
function stretchPassphrasesLess(): () => void {
  const whole = Encrypter.prototype.setPassphrase
  Encrypter.prototype.setPassphrase = function (passphrase) {
    whole.call(this, passphrase)
    this.setScryptWorkFactor(4)
  }
  return () => {
    Encrypter.prototype.setPassphrase = whole
  }
}

export async function openCanaryHome(): Promise<CanaryHome> {
  const restore = stretchPassphrasesLess()
  const home = await openHome()
  const service = await openLeakyService()
  const {TMPDIR} = process.env
  process.env.TMPDIR = join(home.folder, 'tmp')
  mkdirSync(process.env.TMPDIR)
  // No keyring answers, whatever the machine has.
  const common = {DBUS_SESSION_BUS_ADDRESS: `unix:path=${home.folder}/none`}
  const add = async (name: ProfileName, secret: string, more: readonly string[] = []) => {
    const argv = ['profiles', 'add', name, '--kind', 'sandbox', '--base-url', service.url, '--auth', name]
    const {code, stderr} = await home.run([...argv, '--secret', '-', ...more], {
      env: common,
      stdin: `${secret}\n`,
    })
    if (code !== 0) throw new Error(stderr)
  }
  await add('bearer', canaries.bearer)
  await add('basic', canaries.password, ['--user', 'ops'])
  await add('header', canaries.headerKey, ['--header-name', 'x-api-key'])
  await add('oauth2', canaries.oauthSecret, [
    '--token-url',
    `${service.url}/oauth2/token`,
    '--client-id',
    'cli',
  ])
  // Each run a week after the last: the same transfers may be sent again then.
  let week = 0
  const ran: {argv: readonly string[]; code: number}[] = []
  const run: Home['run'] = async (argv, options = {}) => {
    // Nobody sleeps here, so that time passes with each look at the clock.
    let now = Date.now() + ++week * 8 * 86_400_000
    const env = {CARDCTL_PROFILE: 'bearer', ...common, ...options.env}
    const ended = await home.run(argv, {now: () => (now += 10), ...options, env})
    ran.push({argv, code: ended.code})
    return ended
  }
  // What the tests themselves put there, to be read by commands.
  const own = [
    'rows.csv',
    'body.json',
    'private.pem',
    'rules.yaml',
    'suite.yaml',
    'calls.ndjson',
    'rates.json',
    'database-url',
  ]
  return {
    ...home,
    service,
    run,
    ran,
    json: async <T>(argv: readonly string[], options?: RunOptions) => {
      const {code, stdout, stderr} = await run([...argv, '-o', 'json'], options)
      if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    leaks: async (argv, {mode, profile, ...options}) => {
      service.mode = mode
      try {
        const env = {CARDCTL_PROFILE: profile, ...options.env}
        const {stdout, stderr} = await run(argv, {...options, env})
        return leaksIn(`${stdout}\n${stderr}`)
      } finally {
        service.mode = 'well'
      }
    },
    files: () =>
      readdirSync(home.folder, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile() && !own.includes(entry.name))
        .map(entry => join(entry.parentPath, entry.name))
        .map(path => ({path: path.slice(home.folder.length + 1), leaks: leaksIn(readFileSync(path))})),
    remove: async () => {
      restore()
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
      await service.close()
      await home.remove()
    },
  }
}
