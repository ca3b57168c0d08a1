// docs/first-day.md as a transcript: its commands in their order, against a service that differs as the page says.
import {readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {callsIn} from '../docs/command-lines.ts'
import {blocksOf} from '../docs/pages.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {contractFile, contractText} from '../helpers/contract.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const path = 'docs/first-day.md'
const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const blocks = blocksOf({path, text})

const TOKEN = 'first-day-token'
/** Where the page says so, or where it has to be another file of ours. */
const FILES: Readonly<Record<string, string>> = {'openapi.yaml': contractFile}

let home: Home
let service: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService(
    ({url, headers}) => {
      if (headers.authorization !== `Bearer ${TOKEN}`)
        return {status: 401, headers: {}, body: Buffer.alloc(0)}
      return url.startsWith('/v1/rates/EUR') ? reply(200, {currency: 'EUR', rate: 1.08}) : undefined
    },
    own => {
      const body: unknown = JSON.parse(Buffer.from(own.body).toString())
      const isCard = typeof body === 'object' && body !== null && 'truncatedCardNumber' in body
      const isCardV4 = typeof body === 'object' && body !== null && 'maskedCardNumber' in body
      return isCard || isCardV4
        ? reply(own.status, {...body, accountId: 2001, ...(isCardV4 ? {colour: 'blue'} : {})})
        : own
    },
  )
  for (const {language, code} of blocks)
    if (language === 'yaml') await writeFile(join(home.folder, 'rates.yaml'), code)
  const theirs = contractText.replaceAll('/walleta', '/phonewallet').replace(/\bpinBlock\b/g, 'pin_block')
  await writeFile(join(home.folder, 'service.yaml'), theirs)
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

/** Words as the page has them, at the address and in the folder of the test. */
const typed = (words: readonly string[]): string[] =>
  words.map(word =>
    word === 'https://staging.example'
      ? service.url
      : (FILES[word] ?? (/^[\w-]+\.(?:yaml|html)$/.test(word) ? join(home.folder, word) : word)),
  )

/** A line `…` stands for any lines, and measured times are never the same. */
function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n')
  const parts = lines.map(line =>
    line === '…'
      ? '(?:.*\n)*?'
      : `${line
          .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replace(/\d+ ms.*/, '\\d+ ms, median of 5 reads \\(\\d+ to \\d+ ms\\)')}\n`,
  )
  return new RegExp(`^${parts.join('')}\n?$`)
}

interface Step {
  readonly words: readonly string[]
  readonly line: string
  /** What the page shows of its output, if it does. */
  readonly shown?: string
}

const steps = blocks.flatMap(({language, code}): Step[] => {
  if (language === 'sh') return code.split('\n').flatMap(line => callsIn(line).map(words => ({words, line})))
  if (!code.startsWith('$ ')) return []
  const [line = '', ...shown] = code.split('\n')
  return callsIn(line).map(words => ({words, line, shown: shown.join('\n')}))
})

test('the page shows commands, and what most of them print', () => {
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.filter(({shown}) => shown !== undefined).length).toBeGreaterThan(6)
})

test('its commands run in their order and print what it shows', async () => {
  for (const {words, line, shown} of steps) {
    const [, given = TOKEN] = /STAGING_TOKEN=(\S+) /.exec(line) ?? []
    const done = await home.run(typed(words), {columns: 80, env: {STAGING_TOKEN: given}})
    const ended = {line, code: done.code, stderr: done.code === 0 ? '' : done.stderr}
    expect(ended).toMatchObject({line, code: given === TOKEN ? 0 : 4})
    if (shown !== undefined) expect(`${line}\n${done.stdout}`).toMatch(patternOf(`${line}\n${shown}`))
  }
  expect(service.requests.every(({method}) => method === 'GET')).toBe(true)
  const {words} = await home.json<{words: object}>(['profiles', 'show', 'staging'])
  expect(words).toEqual({pinBlock: 'pin_block', walleta: 'phonewallet', NETWORK_A: 'network-one'})
})

test('a response that differs is one line on stderr', async () => {
  const {stderr, code} = await home.run(['cards', 'get', '3001', '-p', 'staging'], {
    env: {STAGING_TOKEN: TOKEN},
  })
  expect(code).toBe(0)
  expect(stderr.split('\n').filter(line => line.includes('differs from the contract'))).toHaveLength(1)
})
