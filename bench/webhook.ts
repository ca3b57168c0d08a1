// Calls per second of `webhook serve` with its recording, compared with a bare Fastify handler.
import {join} from 'node:path'
import {callOf} from '../test/webhook/calls.ts'
import {BINARY, here} from './home.ts'
import {type NextRequest, numbered, requestBytes} from './http-load.ts'
import {compete, p99Ratio, rateRatio, serverTable} from './servers.ts'
import type {Measured, Options, Suite} from './suite.ts'

const CONNECTIONS = 16
const BARE = 'bare Fastify'
const RECORDING = 'webhook serve'

export const webhook: Suite = {
  name: 'webhook',
  title: 'Authorisation calls',
  async run({runs, home, env}: Options): Promise<Measured> {
    const serve =
      (...flags: string[]) =>
      (port: number) => [BINARY, ...['webhook', 'serve', '--port', String(port), '-o', 'ndjson', ...flags]]
    const requests = authCalls
    const results = await compete(
      [
        {name: BARE, argv: port => [here('bare-server.ts'), String(port), 'approve'], requests},
        {name: RECORDING, argv: serve('--recording', join(home, 'process.db')), requests},
        {
          name: `${RECORDING} --durability power`,
          argv: serve('--recording', join(home, 'power.db'), '--durability', 'power'),
          requests,
        },
        {name: `${RECORDING} --no-record`, argv: serve('--no-record'), requests},
      ],
      {runs, connections: CONNECTIONS, env},
    )
    return {
      about: `Calls on ${CONNECTIONS} connections. The bare handler parses a call and approves it. \`webhook serve\` also checks it against the contract, decides and records it. CPU is the processor time of the server for a call, in µs. The ratios compare calls per second, and calls per second of processor time.`,
      ...serverTable(results),
      figures: {
        'calls per second, of bare Fastify': rateRatio(results, RECORDING, BARE),
        '99th percentile of response times, of bare Fastify': p99Ratio(results, RECORDING, BARE),
      },
      skipped: [],
      versions: {},
    }
  },
}

/** Each call has an id of its own; otherwise it would count as repeated. */
export function authCalls(): NextRequest {
  const digits = '000000000000'
  const body = JSON.stringify(callOf('contactless', `bench-${digits}`))
  return numbered(requestBytes('POST /auth', {body}), digits)
}
