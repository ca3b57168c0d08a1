// The cost of a command, compared with an empty program of the same runtime, a script that sends only the same request,
// and a compiled tool that does the same work.
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import process from 'node:process'
import {build} from 'esbuild'
import {ProcessHome, serveSandbox} from '../test/helpers/process-home.ts'
import {BINARY, here} from './home.ts'
import {
  measureMemory,
  measureRounds,
  type Program,
  processor,
  type Rounds,
  type Times,
  wall,
} from './measure-process.ts'
import {installPeer, STRIPE} from './peers.ts'
import {median, pairedRatio} from './statistics.ts'
import type {Measured, Options, Suite} from './suite.ts'

const ROOT = here('..')

const MEMORY_RUNS = 3

/** The peer must not send usage data. */
const NO_TELEMETRY = {STRIPE_CLI_TELEMETRY_OPTOUT: '1'}

const BARE = 'node -e 0'
const SCRIPT = 'undici script'
const PEER = 'stripe get'

/** The card's reference number, which every output contains. */
const CARD = /900000000003001/

/** Commands of cardctl by what they represent, and what their output must contain. */
const COMMANDS = {
  version: ['--version', /^cardctl\/\d/],
  help: ['--help', /USAGE/],
  commandHelp: ['cards get --help', /USAGE/],
  whoami: ['whoami', /sandbox/],
  http: ['cards get 3001 -p http', CARD],
  embedded: ['cards get 3001', CARD],
  preview: ['accounts patch 2001 --type credit -F creditLimit=5000 --dry-run', /5000/],
  write: ['accounts patch 2001 --type credit -F creditLimit=5000', /2001/],
} as const satisfies Record<string, readonly [argv: string, prints: RegExp]>

const nameOf = (command: keyof typeof COMMANDS): string => `cardctl ${COMMANDS[command][0]}`

export const startup: Suite = {
  name: 'startup',
  title: 'Start-up',
  async run({runs, home, env: own}: Options): Promise<Measured> {
    const service = await serveCard(home)
    try {
      const stripe = installPeer(STRIPE)
      const env = {...own, CARDCTL_PROFILE: 'sandbox', ...NO_TELEMETRY}
      await new ProcessHome(home).addProfile('http', service.url)
      const programs: Program[] = [
        {name: BARE, argv: [process.execPath, '-e', '0'], prints: /^$/},
        {name: SCRIPT, argv: await bundledScript(home, `${service.url}/v4/3001`), prints: CARD},
        ...('file' in stripe ? [stripeGet(stripe.file, service.url)] : []),
        ...Object.values(COMMANDS).map(([argv, prints]) => cardctl(argv, prints)),
      ]
      const times = await measureRounds(programs, env, runs)
      const memory = await peaks(programs, env)
      return {
        about:
          'Whole processes. `stripe get`, the bundled undici script and `cards get -p http` send one request to the same server on loopback and print the same card. The other commands send nothing, or use the embedded sandbox. Wall and CPU are medians in ms. Each ratio is the median of the ratios within a round.',
        ...table(times, memory),
        figures: figuresOf(times, memory),
        skipped: 'missing' in stripe ? [`${PEER}: ${stripe.missing}`] : [],
        versions: 'file' in stripe ? {[STRIPE.name]: STRIPE.version} : {},
      }
    } finally {
      service.close()
    }
  },
}

/** A package with its own runtime, by its launcher, in place of the build. */
const {CARDCTL_BENCH_PACKAGE: launcher} = process.env

function cardctl(argv: string, prints: RegExp): Program {
  const program = launcher === undefined ? [process.execPath, BINARY] : [launcher]
  return {name: `cardctl ${argv}`, argv: [...program, ...argv.split(' ')], prints}
}

/** Any path, because the server has only one response. */
function stripeGet(file: string, url: string): Program {
  const flags = ['--api-base', url, '--api-key', 'sk_test_123456789012']
  return {name: PEER, argv: [file, 'get', '/v1/charges/3001', ...flags], prints: CARD}
}

/** `cards get` without cardctl: one request, bundled, with its compiled code cached. */
async function bundledScript(folder: string, url: string): Promise<string[]> {
  const entry = join(folder, 'script.cjs')
  await build({
    stdin: {
      contents: `import {request} from 'undici'
        request(${JSON.stringify(url)})
          .then(({body}) => body.json())
          .then(card => console.log(JSON.stringify(card, null, 2)))`,
      resolveDir: ROOT,
    },
    outfile: join(folder, 'request.cjs'),
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
  })
  const cache = JSON.stringify(join(folder, 'compiled'))
  writeFileSync(entry, `require('node:module').enableCompileCache(${cache})\nrequire('./request.cjs')\n`)
  return [process.execPath, entry]
}

/**
 * A server that always responds with the same card of the sandbox, so that all clients wait for the same short time.
 */
async function serveCard(home: string): Promise<{url: string; close: () => void}> {
  const sandbox = await serveSandbox(new ProcessHome(home), '--memory')
  const card = Buffer.from(await (await fetch(`${sandbox.url}/v4/3001?auditUser=tester`)).arrayBuffer())
  await sandbox.close()
  const server = createServer((_, response) => {
    response.writeHead(200, {'content-type': 'application/json', 'content-length': card.length}).end(card)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** In separate runs, because watching a process slows it down. */
async function peaks(programs: readonly Program[], env: NodeJS.ProcessEnv): Promise<Map<string, number>> {
  const memory = new Map<string, number>()
  for (const program of programs) {
    const values: number[] = []
    for (let run = 0; run < MEMORY_RUNS; run++) values.push(await measureMemory(program, env))
    memory.set(program.name, median(values))
  }
  return memory
}

function table(times: Rounds, memory: ReadonlyMap<string, number>): Pick<Measured, 'columns' | 'rows'> {
  const rows = [...times].map(([name, values]) => {
    const ratio = (base: string, of: (times: Times) => number): string => {
      const bases = times.get(base)
      return bases ? pairedRatio(values.map(of), bases.map(of)).toFixed(2) : '-'
    }
    return [
      name,
      median(values.map(wall)).toFixed(0),
      median(values.map(processor)).toFixed(0),
      ratio(BARE, wall),
      ratio(BARE, processor),
      ratio(PEER, wall),
      ratio(SCRIPT, wall),
      memory.get(name)?.toFixed(0) ?? '-',
    ]
  })
  return {columns: ['', 'wall', 'CPU', 'of node', 'CPU of node', 'of stripe', 'of script', 'peak MB'], rows}
}

function figuresOf(times: Rounds, memory: ReadonlyMap<string, number>): Measured['figures'] {
  const ratio = (name: string, base: string): number | null => {
    const [values, bases] = [times.get(name), times.get(base)]
    return values && bases ? pairedRatio(values.map(wall), bases.map(wall)) : null
  }
  return {
    'cards get over HTTP, of stripe get': ratio(nameOf('http'), PEER),
    'cards get over HTTP, of bare Node.js': ratio(nameOf('http'), BARE),
    'cards get over HTTP, of the undici script': ratio(nameOf('http'), SCRIPT),
    'cards get embedded, of cards get over HTTP': ratio(nameOf('embedded'), nameOf('http')),
    'cards get embedded, of bare Node.js': ratio(nameOf('embedded'), BARE),
    '--version, of bare Node.js': ratio(nameOf('version'), BARE),
    '--help, of bare Node.js': ratio(nameOf('help'), BARE),
    'cards get --help, of bare Node.js': ratio(nameOf('commandHelp'), BARE),
    'whoami, of bare Node.js': ratio(nameOf('whoami'), BARE),
    'accounts patch --dry-run, of bare Node.js': ratio(nameOf('preview'), BARE),
    'accounts patch embedded, of cards get embedded': ratio(nameOf('write'), nameOf('embedded')),
    'cards get over HTTP, peak memory in MB': memory.get(nameOf('http')) ?? null,
  }
}
