// Names and words from outside, in everything that shows or keeps them: nothing acts, and JSON gives them back unchanged.
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest'
import {OUTPUT_FORMATS} from '../../src/cli/flags.ts'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'
import {hostileTexts} from '../helpers/hostile-texts.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'
import {callOf} from '../webhook/calls.ts'
import {exchangeOf, recordInto} from '../webhook/recordings.ts'

let home: Home
let service: Service
/** What holders, merchants and problems are called now. */
let text = ''

beforeAll(async () => {
  home = await openHome()
  service = await openService(
    ({url}) =>
      url.startsWith('/v4/422') ? reply(422, {title: text, detail: `no: ${text}`, [text]: 1}) : undefined,
    own => ({
      ...own,
      body: Buffer.from(
        Buffer.from(own.body)
          .toString()
          // Chosen by the holder, and in part what a lone surrogate is written as.
          .replaceAll('"Virtanen"', JSON.stringify(text))
          .replaceAll('"Mannerheimintie 1"', JSON.stringify(text)),
      ),
      headers: {'content-type': 'application/json'},
    }),
  )
  const add = `profiles add svc --kind test --base-url ${service.url} --profile-audit-user aino`
  await home.json(add.split(' '))
  await home.json('accounts patch 2001 --type credit -F creditLimit=4999'.split(' '))
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

/** What may act or deceive, but for line feeds; CSV fields may hold tabs and whole line breaks as data (RFC 4180). */
const ACTING =
  /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0001}-\u{e007f}]/u
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

function nothingActs({stdout, stderr}: RunResult, format: string): void {
  const shown = format === 'csv' ? stdout.replaceAll('\t', '').replaceAll('\r\n', '\n') : stdout
  expect(shown.replace(COLOUR, '')).not.toMatch(ACTING)
  expect(stderr.replace(COLOUR, '')).not.toMatch(ACTING)
}

/** Each text meets a part of the formats. */
let turn = 0

describe.each(part(Object.entries(hostileTexts), 2))('%s', (_, hostile) => {
  beforeEach(() => {
    text = hostile
  })

  it('as the name of a holder, and in problems', async () => {
    for (const format of part(OUTPUT_FORMATS, 3, turn++)) {
      for (const line of [
        'cards get 3001',
        'cards list --customer 1001',
        'api GET /v4/3001',
        'cards get 422',
      ]) {
        const argv = [...line.split(' '), '-p', 'svc', '-o', format]
        nothingActs(await home.run(argv), format)
        if (format !== 'table') continue
        const terminal = await home.run(argv, {
          columns: 100,
          env: {NO_COLOR: '', FORCE_COLOR: '1', TERM: 'xterm-256color'},
        })
        nothingActs(terminal, format)
      }
    }
    const {embossing} = await home.json<{embossing: {lastName: string}}>([
      'cards',
      'get',
      '3001',
      '-p',
      'svc',
    ])
    expect(embossing.lastName).toBe(hostile)
  })

  it('in a spreadsheet', async () => {
    const argv = ['cards', 'get', '3001', '-p', 'svc', '-o', 'csv', '--no-header', '--csv-safe']
    const {stdout} = await home.run([...argv, '--query', 'embossing.{a: lastName}'])
    expect(stdout).not.toMatch(/^"?[=+\-@\t\r]/)
  })

  it('as a merchant, in lines, exports and the page’s stream of calls', async () => {
    const file = join(home.folder, 'events', `${Object.values(hostileTexts).indexOf(hostile)}.db`)
    const exchange = exchangeOf(1, {merchant: hostile} as never)
    const call = callOf('chip', 'call-1')
    call.merchantData.name = hostile
    await recordInto(file, {...exchange, request: {...exchange.request, body: call}})
    for (const format of part(OUTPUT_FORMATS, 3, turn++)) {
      for (const line of ['events list', `events show ${exchange.event.event}`, 'events export']) {
        const argv = ['webhook', ...line.split(' '), '--recording', file, '-o', format]
        nothingActs(await home.run(argv), format)
        if (format === 'table') nothingActs(await home.run(argv, {columns: 100}), format)
      }
    }
  })

  it('as a file, a flag, the name of a rule, or who acts', async () => {
    const rules = join(home.folder, 'rules.json')
    writeFileSync(rules, `{"rules": [{"name": ${JSON.stringify(hostile)}, "then": "approve"}]}`)
    const lines = [
      ['webhook', 'rules', 'check', rules],
      ['webhook', 'rules', 'check', hostile],
      ['bulk', 'run', 'accounts.patchCredit.v4', '--from', hostile],
      ['cards', 'get', hostile],
      ['cards', 'get', '3001', `--${hostile}`],
      [hostile],
      ['cards', 'payment-info', '3001', '--public-key', hostile],
      ['profiles', 'show', hostile],
      ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--audit-user', hostile],
      ['audit', 'list'],
      ['requests', 'list'],
    ]
    for (const argv of lines) {
      for (const format of part(['table', 'json'], 2, turn++))
        nothingActs(await home.run([...argv, '-o', format]), format)
    }
    const trail = readFileSync(join(home.folder, '.local/share/cardctl/audit.ndjson'), 'utf8')
    expect(trail).not.toMatch(ACTING)
  })
})
