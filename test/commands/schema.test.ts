import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest'
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome, type RunResult} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {isWhole, part} from '../helpers/whole.ts'
import {operationCalls} from './operation-calls.ts'

const addFormats = formatsModule.default
const ajv = addFormats(new Ajv2020({allErrors: true, strict: false}))
const validators = new Map<string, ValidateFunction>()

/**
 * The schema as its author means it: fields that it doesn't name are an error. Responses of the service are left open:
 * test/commands/operations.test.ts compares those with the contract.
 */
function closed(schema: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map(item => closed(item, path))
  if (typeof schema !== 'object' || schema === null) return schema
  const isOfContract = path.at(-2) === '$defs' && (path.at(-1) ?? '').includes('.')
  if (isOfContract) return schema
  const inside = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value, [...path, name])]),
  )
  const isObject = 'properties' in inside && !['properties', '$defs'].includes(path.at(-1) ?? '')
  return isObject && !('additionalProperties' in inside) ? {...inside, additionalProperties: false} : inside
}

async function validator(home: Home, name: string): Promise<ValidateFunction> {
  const known = validators.get(name)
  if (known) return known
  const schema = await home.json(['schema', ...name.split(' ')])
  const made = ajv.compile(closed(schema) as object)
  validators.set(name, made)
  return made
}

/** The command of a line: its longest beginning that is one. */
function commandOf(argv: readonly string[]): string {
  for (let count = argv.length; count > 0; count--) {
    const id = argv.slice(0, count).join(':')
    if (Object.hasOwn(commands, id)) return id.replaceAll(':', ' ')
  }
  throw new Error(`${argv.join(' ')} is no command.`)
}

const checked = {results: 0, errors: 0, warnings: 0}

async function expectToFit(home: Home, name: string, value: unknown): Promise<void> {
  const validate = await validator(home, name)
  const fits = validate(value)
  expect({name, differs: fits ? [] : validate.errors?.slice(0, 5), value: fits ? undefined : value}).toEqual({
    name,
    differs: [],
    value: undefined,
  })
}

async function expectLinesToFit(home: Home, {stderr}: RunResult): Promise<void> {
  for (const line of stderr.split('\n').filter(text => text.startsWith('{'))) {
    const value = JSON.parse(line) as object
    const kind = ['error', 'warning', 'note'].find(name => name in value) ?? ''
    await expectToFit(home, kind, value)
    if (kind === 'error') checked.errors++
    else checked.warnings++
  }
}

/** Flags that print something else than the command does, and the name of its schema. */
const PREVIEWS = {'--dry-run': 'dry-run', '--propose': 'proposal', '--plan': 'plan'}

/** Runs a line with -o json, and compares all that it prints with the schemas. */
async function runs(home: Home, argv: readonly string[], stdin?: string): Promise<RunResult> {
  const result = await home.run([...argv, '-o', 'json'], stdin === undefined ? {} : {stdin})
  await expectLinesToFit(home, result)
  const preview = Object.entries(PREVIEWS).find(([flag]) => argv.includes(flag))?.[1]
  if (result.stdout !== '') {
    await expectToFit(home, preview ?? commandOf(argv), JSON.parse(result.stdout))
    checked.results++
  }
  return result
}

/** Lines that run one after the other in one home. Each prints a result. */
const RESULTS = `
cards get 3001
cards get 3003
cards list --customer 1001
cards list --customer 1003 --api-version v3
cards list --account 2001 --limit 1
cards plastics 3001
cards control-token 3001
cards payment-info 3001
cards payment-info 3001 --show cvv2 --reveal --yes
accounts block 2001 --type credit
accounts unblock 2001 --type credit
accounts limit 2001 7000 --type credit
accounts close 2002 --type debit --confirm ACCOUNT_TO_CLOSE
accounts patch 2001 --type credit -F creditLimit=5000 --dry-run
accounts patch 2001 --type credit -F creditLimit=5000 --idempotency-key same-key
accounts patch 2001 --type credit -F creditLimit=5000 --idempotency-key same-key
accounts patch 2001 --type credit -F creditLimit=5100 --note "a note" --ticket T-1
requests list
requests list --state done --limit 1
requests show last
requests undo --yes
requests resolve last
requests prune --older-than 400d --yes
pincontrol create 7001 --scope view
pin view 3001
pin view 3001 --reveal --yes
pin set 3004 --yes
pin tzpk --control-id env:HOME --dry-run --public-key nowhere.pem
a2a create --transfer 2006:2007:12.50:EUR:rent --yes
a2a create --transfer 2006:2007:1.50:EUR:a --transfer 2006:2007:2.50:EUR:b --batch-size 1 --yes
a2a create --transfer 2006:2007:3.50:EUR:c --yes --wait
a2a list
a2a list --limit 1
a2a get 88001
a2a status 88001
a2a watch 88001
a2a create --transfer 2006:2007:12.50:EUR:rent --dry-run
report batch 88001
report shift
pricelists patch 5001 -F code=NEW
pricelists period patch 6003 -F value=2.5
remotecheckout enroll --customer 1001 --card 3001 --bid ISSUER-1
sandbox clock advance 1m
remotecheckout get --customer 1001 --bid ISSUER-1
remotecheckout update --customer 1001 --no-active --bid ISSUER-1 --wait
remotecheckout update --customer 1001 --active --bid ISSUER-1 --show-change
remotecheckout traces
remotecheckout traces --ended
history card 3001
history account 2001
history customer 1001
find 3001
find 2001
find 88001
audit list
audit list --limit 2
audit export
audit verify
audit key
audit anchor
audit prune --older-than 400d --export PRUNED --yes
sandbox info
sandbox clock show
sandbox faults add --operation cards.get.v4 --status 503
sandbox faults list
sandbox faults clear
sandbox state list account
sandbox state list card --limit 2
sandbox state show account 2001
sandbox state set account 2001 -F name=x
sandbox authorize --card 3001 --amount 12.50 --currency EUR
sandbox authorize --card 3001 --scenario fuel
sandbox authorizations list
sandbox authorizations show a_0
sandbox authorizations clear a_0
sandbox authorizations reverse a_1
sandbox authorizations clear --card 3001 --amount 5 --currency EUR
api GET /v4/3001
api PATCH /v4/CREDIT/2001 -F creditLimit=5000
contract list
contract show cards.get.v4
contract show a2a.create.v1
contract export
contract diff SHOP SHOP
profiles list
profiles show sandbox
profiles add staging --kind test --base-url https://localhost:9 --audit-user kim
profiles edit staging --read-only
profiles show staging
profiles list
contract import SHOP --name shop -p staging
contract list -p staging
x -p staging
whoami
data where
doctor
help --search limit
completion install bash --yes
completion uninstall bash --yes
bulk run accounts.patchCredit.v4 --from ROWS --yes
bulk run accounts.patchCredit.v4 --from ROWS --yes --job-key nightly
bulk run accounts.patchCredit.v4 --from ROWS --yes --job-key nightly
bulk run accounts.patchCredit.v4 --from BAD --yes
bulk list
bulk status last
bulk results last
bulk resume last --retry-failed
bulk prune --older-than 400d --yes
bulk plan accounts.patchCredit.v4 --from ROWS --out PLAN-1
plan show PLAN-1
apply PLAN-1 --yes
a2a plan --transfer 2006:2007:3:EUR --out PLAN-2
accounts patch 2001 --type credit -F creditLimit=7000 --plan PLAN-3
apply PLAN-2 --yes
webhook contract
webhook contract --field partialApprovalAmount
webhook contract --code 51
webhook contract --code all
webhook scenarios
webhook events list
webhook events prune --older-than 400d --yes
webhook test --list
webhook test smoke --list
schema
sandbox reset --yes
`

/** Lines that are refused, each for a reason of its own. */
const REFUSED = `
cards get 9999
cards get abc
cards get 4111111111111111
cards get 3001 --reference 1
cards get 3001 --timeout 1
cards get 3001 -p nobody
cards get 3001 --query [
cards list
cards nothing
accounts patch 9999 --type credit -F creditLimit=1
accounts patch 2001 --type credit -F creditLimit=abc
accounts patch 2001 --type credit -F nothing=1
accounts patch 2001
accounts update-property 2001 NOTHING
pricelists delete 5001
pricelists delete 9999 --confirm 9999
pin view 9999
pin set 3001
pin tzpk --control-id env:HOME --public-key nowhere.pem
a2a get 1
a2a create --transfer 2006:2007:12.50
a2a create --from nowhere.csv
a2a create --transfer 2006:2007:12.50:EUR:rent
remotecheckout get --customer 1001
remotecheckout status 00000000-0000-0000-0000-000000000000
requests show r_1
requests show last
requests undo
requests retry last
bulk run cards.get.v4 --from nowhere.csv
bulk status last
bulk resume last
find nothing-at-all-1
audit list --profile nobody
contract show nothing
contract diff a b
profiles show nobody
profiles add x
profiles edit nobody --read-only
sandbox state show account 1
sandbox authorize --card 9999 --amount 1 --currency EUR
sandbox authorize --card 3001 --amount 999999 --currency EUR
sandbox authorizations show a_9
api GET /nothing
api
x nothing
webhook test nothing
webhook trigger auth --to http://127.0.0.1:1
webhook contract --code 9999
schema nothing
`

const linesOf = (text: string): readonly string[] => text.trim().split('\n')
const words = (line: string, files: Readonly<Record<string, string>> = {}): readonly string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map(word => files[word] ?? word.replaceAll('"', ''))

let home: Home
const files: Record<string, string> = {}
beforeAll(async () => {
  home = await openHome()
  const given = {
    ROWS: 'id,creditLimit\n2001,5000\n2001,5100\n',
    BAD: 'id,creditLimit\n2001,5000\n9999,5000\n',
    SHOP: JSON.stringify({
      openapi: '3.1.0',
      info: {title: 'Shop', version: '1'},
      paths: {
        '/things/{id}': {
          get: {
            operationId: 'getThing',
            parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}],
            responses: {200: {description: 'A thing'}},
          },
        },
      },
    }),
  }
  for (const [name, text] of Object.entries(given)) {
    files[name] = join(home.folder, `${name.toLowerCase()}.${name === 'SHOP' ? 'json' : 'csv'}`)
    await writeFile(files[name] ?? '', text)
  }
  // For `requests resolve last`: the response is lost, so the effect is unknown.
  await home.run('sandbox faults add --operation accounts.patchDebit.v4 --drop after'.split(' '))
  // Made by the lines themselves.
  for (const name of ['PLAN-1', 'PLAN-2', 'PLAN-3']) files[name] = join(home.folder, name)
  await home.run('accounts patch 2006 --type debit --name Rent'.split(' '))
  await home.run('sandbox faults clear --yes'.split(' '))
})
afterAll(() => home.remove())

const types = (lines: readonly unknown[]) => lines.map(line => (line as {type: string}).type)

const connected = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

/** The lines of a server that is used and then stopped. */
async function served(
  home: Home,
  argv: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<readonly unknown[]> {
  const stop = new AbortController()
  const port = await freePort()
  const ended = home.run([...argv, '--port', String(port), '-o', 'ndjson'], {
    signal: stop.signal,
    sleep: (ms, signal) => delay(ms, undefined, {signal}),
  })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => connected(port), {timeout: 10_000})
  await use(url)
  stop.abort('SIGTERM')
  const {stdout} = await ended
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

describe('what is printed', () => {
  it.each(linesOf(RESULTS))('%s', async line => {
    const {stdout, stderr} = await runs(home, words(line, files), line.startsWith('pin set') ? '8253\n' : '')
    if (!line.includes('nowhere')) expect({stdout, stderr}).not.toMatchObject({stdout: ''})
  })

  it.each(Object.entries(operationCalls))('the response of %s', async (_, call) => {
    const other = await openHome()
    try {
      const {argv, stdin} = await call(other)
      const {code} = await runs(other, argv, stdin)
      expect(code).toBe(0)
    } finally {
      await other.remove()
    }
  })

  it('the events of servers', async () => {
    const other = await openHome()
    try {
      const sandbox = await served(other, ['sandbox', 'serve', '--memory'], async url => {
        await fetch(`${url}/v4/3001?auditUser=me`)
        await fetch(`${url}/nothing`)
      })
      const webhook = await served(other, ['webhook', 'serve', '--approve'], async url => {
        await other.run(['webhook', 'trigger', 'auth', '--to', url])
        await other.run(['webhook', 'trigger', 'warm-up', '--to', url])
        await fetch(`${url}/auth`, {method: 'POST', body: '{'})
      })
      for (const [name, lines] of [['sandbox serve', sandbox] as const, ['webhook serve', webhook] as const])
        for (const line of lines) await expectToFit(other, name, line)
      expect(types(sandbox)).toEqual(['ready', 'request', 'request'])
      expect(types(webhook)).toEqual(['ready', 'auth', 'warm-up', 'rejected'])
    } finally {
      await other.remove()
    }
  })

  it('a replay', async () => {
    const other = await openHome()
    try {
      await served(other, ['webhook', 'serve', '--approve'], async url => {
        await other.run(['webhook', 'trigger', 'auth', '--to', url])
        const {code, stdout} = await runs(other, ['webhook', 'replay', 'last', '--to', url])
        expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, ['summary', 'calls']])
      })
    } finally {
      await other.remove()
    }
  })

  it.each(linesOf(REFUSED))('the refusal of %s', async line => {
    const other = await openHome()
    try {
      const {code, stderr} = await runs(other, words(line))
      expect(code).toBeGreaterThan(0)
      expect(stderr).toMatch(/^\{"error":/m)
    } finally {
      await other.remove()
    }
  })

  it.each(part(Object.keys(commands), 4))('the refusal of an unknown flag of %s', async id => {
    const {code} = await runs(home, [...id.split(':'), '--no-such-flag'])
    expect(code).toBe(2)
  })

  it.each(part(Object.keys(commands), 3))('%s has a schema, or the reason why not', async id => {
    const name = id.replaceAll(':', ' ')
    const {code, stdout, stderr} = await home.run(['schema', ...name.split(' '), '-o', 'json'])
    if (code === 0) {
      const {$schema: _, title, ...schema} = JSON.parse(stdout)
      expect([title, Object.keys(schema).length]).toEqual([expect.stringContaining(name), expect.any(Number)])
      expect(Object.keys(schema), 'a schema, or what any value is').not.toEqual([])
    } else expect(stderr).toMatch(/There is no schema for [\w -]+: it prints /)
  })

  it('is compared with its schema many times', () => {
    expect(checked.results).toBeGreaterThan(120)
    expect(checked.errors).toBeGreaterThan(isWhole ? 150 : 80)
  })
})
