// Calls per second of `webhook serve` with its recording, compared with a bare Fastify handler.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {callOf} from '../test/webhook/calls.ts'
import {type NextRequest, numbered, requestBytes} from './http-load.ts'
import {compete, p99Ratio, rateRatio, serverTable} from './servers.ts'
import type {Measured, Options, Suite} from './suite.ts'

const CONNECTIONS = 16
const BARE = 'bare Fastify'
const RECORDING = 'webhook serve'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const webhook: Suite = {
  name: 'webhook',
  title: 'Authorisation calls',
  async run({runs}: Options): Promise<Measured> {
    const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))
    const env = {PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1'}
    const serve =
      (...flags: string[]) =>
      (port: number) => [
        here('../bin/run.js'),
        ...['webhook', 'serve', '--port', String(port), '-o', 'ndjson', ...flags],
      ]
    const requests = authCalls
    try {
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
    } finally {
      rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
    }
  },
}

/** Each call has an id of its own; otherwise it would count as repeated. */
export function authCalls(): NextRequest {
  const digits = '000000000000'
  const body = JSON.stringify(callOf('contactless', `bench-${digits}`))
  return numbered(requestBytes('POST /auth', {body}), digits)
}
