// Requests per second of `sandbox serve`, compared with bare Fastify routes and a mock server of the same contract.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {ProcessHome, serveSandbox} from '../test/helpers/process-home.ts'
import {BINARY, here} from './home.ts'
import {numbered, requestBytes} from './http-load.ts'
import {installPeer, PRISM} from './peers.ts'
import {type Contest, compete, rateRatio, serverTable} from './servers.ts'
import type {Measured, Options, Suite} from './suite.ts'

const CONNECTIONS = 32
const GET = 'GET of a card'
const PATCH = 'keyed PATCH'
const BARE_GET = `${GET}, bare Fastify`
const BARE_PATCH = `${PATCH}, bare Fastify and INSERT`
const MOCK = `${GET}, Prism`

export const sandbox: Suite = {
  name: 'sandbox',
  title: 'Sandbox',
  async run({runs, home, env}: Options): Promise<Measured> {
    const prism = installPeer(PRISM)
    const card = join(home, 'card.json')
    writeFileSync(card, await cardBytes(home))
    const reads = await compete(
      [
        get(BARE_GET, port => [here('bare-server.ts'), String(port), 'send', card]),
        get(`${GET}, sandbox serve`, serve(home, 'reads')),
        ...('file' in prism ? [get(MOCK, mock(prism.file))] : []),
      ],
      {runs, connections: CONNECTIONS, env},
    )
    const writes = await compete(
      [
        patch(BARE_PATCH, port => [here('bare-server.ts'), String(port), 'insert', join(home, 'bare.db')]),
        patch(`${PATCH}, sandbox serve`, serve(home, 'writes')),
      ],
      {runs, connections: CONNECTIONS, env},
    )
    const {columns, rows} = serverTable(reads)
    return {
      about: `Requests on ${CONNECTIONS} connections. The sandbox keeps its state in a file. The bare routes send the same bytes, or insert each key and body into an SQLite file with the same durability. The mock server uses the same contract. CPU is the processor time of the server for a request, in µs. The ratios compare requests per second, and requests per second of processor time, with the bare route.`,
      columns,
      rows: [...rows, ...serverTable(writes).rows],
      figures: {
        'GET of a card, of bare Fastify': rateRatio(reads, `${GET}, sandbox serve`, BARE_GET),
        'GET of a card, of Prism': rateRatio(reads, `${GET}, sandbox serve`, MOCK),
        'keyed PATCH, of bare inserts': rateRatio(writes, `${PATCH}, sandbox serve`, BARE_PATCH),
      },
      skipped: 'missing' in prism ? [`${MOCK}: ${prism.missing}`] : [],
      versions: 'file' in prism ? {[PRISM.name]: PRISM.version} : {},
    }
  },
}

function get(name: string, argv: Contest['argv']): Contest {
  const bytes = requestBytes('GET /v4/3001?auditUser=tester')
  return {name, argv, requests: () => () => bytes}
}

/** Each request has a key of its own. */
function patch(name: string, argv: Contest['argv']): Contest {
  const digits = '000000000000'
  const headers = {'x-idempotency-key': `bench-${digits}`}
  const bytes = requestBytes('PATCH /v4/CREDIT/2001?auditUser=tester', {
    headers,
    body: '{"creditLimit":5000}',
  })
  return {name, argv, requests: () => numbered(bytes, digits)}
}

function serve(home: string, state: string): Contest['argv'] {
  const data = join(home, state)
  mkdirSync(data, {mode: 0o700})
  return port => [BINARY, ...['sandbox', 'serve', '--port', String(port), '--data', data, '-o', 'ndjson']]
}

function mock(file: string): Contest['argv'] {
  const contract = here('../src/contract/openapi.gen.yaml')
  return port => [
    file,
    'mock',
    contract,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--verboseLevel',
    'silent',
  ]
}

async function cardBytes(home: string): Promise<Buffer> {
  const service = await serveSandbox(new ProcessHome(home), '--memory')
  try {
    const response = await fetch(`${service.url}/v4/3001?auditUser=tester`)
    return Buffer.from(await response.arrayBuffer())
  } finally {
    await service.close()
  }
}
