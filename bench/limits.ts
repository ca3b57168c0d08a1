// All limits of the benchmarks. They are ratios of two measurements of the same run, or peak memory in MB: a time in
// milliseconds would say more about the machine than about cardctl.

/** `most` or `least` holds now; beyond it, the benchmark fails. `wanted` is the goal. */
export type Limit = {readonly wanted: number} & ({readonly most: number} | {readonly least: number})

export const LIMITS: Readonly<Record<string, Readonly<Record<string, Limit>>>> = {
  startup: {
    'cards get over HTTP, of stripe get': {most: 1.1, wanted: 0.7},
    'cards get over HTTP, of bare Node.js': {most: 5, wanted: 2.8},
    'cards get over HTTP, of the undici script': {most: 1.25, wanted: 1.25},
    'cards get embedded, of cards get over HTTP': {most: 1.3, wanted: 1},
    'cards get embedded, of bare Node.js': {most: 5, wanted: 2.2},
    '--version, of bare Node.js': {most: 1.8, wanted: 1.4},
    '--help, of bare Node.js': {most: 3, wanted: 3},
    'cards get --help, of bare Node.js': {most: 3, wanted: 3},
    'whoami, of bare Node.js': {most: 3.5, wanted: 3.5},
    'accounts patch --dry-run, of bare Node.js': {most: 3.5, wanted: 3.5},
    'accounts patch embedded, of cards get embedded': {most: 1.5, wanted: 1.25},
    'cards get over HTTP, peak memory in MB': {most: 72, wanted: 72},
  },
  sandbox: {
    'GET of a card, of bare Fastify': {least: 0.5, wanted: 0.6},
    'GET of a card, of Prism': {least: 5, wanted: 5},
    'keyed PATCH, of bare inserts': {least: 0.4, wanted: 0.6},
  },
  webhook: {
    'calls per second, of bare Fastify': {least: 0.35, wanted: 0.5},
    '99th percentile of response times, of bare Fastify': {most: 6, wanted: 4},
  },
  bulk: {
    'rows per second, of a bare undici loop': {least: 0.3, wanted: 0.75},
  },
  lists: {
    'audit list, of an empty trail': {most: 2, wanted: 2},
    'requests list, of an empty journal': {most: 2, wanted: 2},
    'bulk results, peak memory in MB': {most: 150, wanted: 150},
    'audit list -o json, peak memory in MB': {most: 150, wanted: 150},
    'cards list --all, peak memory in MB': {most: 150, wanted: 150},
  },
}
