import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {Ajv2020} from 'ajv/dist/2020.js'
import openapiTS, {astToString} from 'openapi-typescript'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {checksOfRules} from '../../src/commands/webhook/shared/rule-checks.ts'
import {checkAnswer, ignoredFields} from '../../src/contract/auth-answer.ts'
import {checkWebhookCallStrict} from '../../src/contract/validate.ts'
import {readWebhookContract} from '../../src/contract/webhook-contract.ts'
import {LIMITS} from '../../src/limits/limits.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const contract = await readWebhookContract()
const [warmUp, auth] = contract.calls
if (warmUp?.path !== '/warm-up' || auth?.path !== '/auth') throw new Error('The contract has other calls.')
const fields = contract.calls.flatMap(({headers, call, answer}) => [
  ...headers,
  ...call.fields,
  ...answer.fields,
])
const show = (...argv: string[]) => home.run(['webhook', 'contract', ...argv])

describe('the contract says of', () => {
  test('each field what it means, its type and what that rests on', () => {
    expect(fields.length).toBeGreaterThan(60)
    for (const {name, meaning, type, source} of fields) {
      expect(meaning, name).toMatch(/\S\.$|alpha-3|alphabetic/)
      expect(type, name).not.toBe('')
      expect(['outline', 'known', 'decided']).toContain(source)
    }
  })

  test('each known value what it means', () => {
    const listed = fields.filter(({name, values}) => values && !/authResponseCode|^type$/.test(name))
    expect(listed.map(({name}) => name)).toContain('transactionData.cardholderVerifications[]')
    for (const {name, values = []} of listed) {
      for (const {value, meaning} of values) expect(meaning, `${name} ${value}`).not.toBe('')
    }
  })

  test('sizes what cardctl applies', () => {
    const size = auth.rules.find(({about}) => about === 'Size')
    expect(size?.text).toContain(`${LIMITS.call.bytes / 1024} KiB`)
  })

  test('calls and answers examples that match it', async () => {
    for (const {value} of warmUp.call.examples) {
      expect(await checkWebhookCallStrict('webhook.warmUp', value)).toEqual([])
    }
    for (const {value} of auth.call.examples) {
      expect(await checkWebhookCallStrict('webhook.auth', value)).toEqual([])
    }
    expect(auth.answer.examples).toHaveLength(4)
    for (const {value} of auth.answer.examples) {
      expect(await checkAnswer(value)).toEqual([])
      expect(ignoredFields(value)).toEqual([])
    }
  })
})

describe('as text', () => {
  test.each([80, 40])('it has every field and code, and fits %i columns', async columns => {
    const {stdout} = await home.run(['webhook', 'contract'], {columns})
    const lines = stdout.split('\n')
    expect(lines.filter(line => line.length > columns)).toEqual([])
    const words = stdout.replaceAll(/\s+/g, '')
    const inAmounts = /\.(amount|currency)$/
    for (const {name} of fields.filter(field => !inAmounts.test(field.name))) {
      expect(words).toContain(name.split('.').at(-1)?.replace('[]', ''))
    }
    for (const {code, meaning} of contract.codes) {
      expect(words).toContain(code + meaning.replaceAll(' ', ''))
    }
    for (const {text} of auth.rules) expect(words).toContain(text.replaceAll(' ', ''))
  })

  test('a field is shown wherever it occurs, with what its values mean', async () => {
    const {code, stdout} = await show('--field', 'transactionType')
    expect(code).toBe(0)
    expect(stdout).toContain('transactionData.transactionType, call of /auth')
    expect(stdout).toMatch(/AFT +a wallet or account is funded from the card/)
    const balances = await show('--field', 'availableAmount')
    expect(balances.stdout).toContain('account.availableAmount, call of /auth')
    expect(balances.stdout).toContain('transactionData.availableAmount, answer of /auth')
  })

  test('a field may be given as a path or a pointer', async () => {
    const byPath = await show('--field', 'transactionData.transactionFees.feeType')
    const byPointer = await show('--field', '/transactionData/transactionFees/feeType')
    expect(byPath.stdout).toContain('transactionData.transactionFees[].feeType')
    expect(byPointer.stdout).toBe(byPath.stdout)
  })

  test('a response code is shown by number and by name', async () => {
    const {stdout} = await show('--code', '51')
    expect(stdout).toMatch(/51 +insufficient funds\. The available amount is too small\./)
    expect((await show('--code', 'not_sufficient_funds')).stdout).toBe(stdout)
    expect((await show('--code', 'all')).stdout).toMatch(/96 +system error/)
  })

  test('what it does not have is refused, with what was probably meant', async () => {
    const field = await show('--field', 'partialAprovalAmount')
    expect(field.code).toBe(5)
    expect(field.stderr).toContain('Did you mean partialApprovalAmount?')
    const code = await show('--code', 'OK')
    expect(code.code).toBe(5)
    expect(code.stderr).toContain('See them all: cardctl webhook contract --code all')
  })
})

describe('as a document', () => {
  test('its JSON Schema judges answers as cardctl does', async () => {
    const {stdout} = await show('--format', 'json-schema')
    const ajv = new Ajv2020({strict: false})
    const schema = JSON.parse(stdout)
    const accepts = ajv.compile(schema)
    for (const {value} of auth.answer.examples) expect(accepts(value)).toBe(true)
    const answer = (code: string) => ({transactionData: {authResponseCode: {code}}})
    for (const wrong of [{}, answer('OK'), answer('10'), answer('')]) {
      expect(accepts(wrong)).toBe(false)
      expect(await checkAnswer(wrong)).not.toEqual([])
    }
    const acceptsCall = ajv.compile({...schema, $ref: '#/$defs/AuthCall'})
    for (const {value} of auth.call.examples) expect(acceptsCall(value)).toBe(true)
    expect(acceptsCall({})).toBe(false)
  })

  test('its OpenAPI document is complete in itself', async () => {
    const document = await home.json(['webhook', 'contract', '--format', 'openapi'])
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(10)
    for (const [, path = ''] of references) {
      const target = path.split('/').reduce<unknown>((node, step) => {
        return (node as Record<string, unknown> | undefined)?.[step]
      }, document)
      expect(target, path).toBeTypeOf('object')
    }
    expect(document).toMatchObject({openapi: '3.1.0', webhooks: {'webhook.auth': {post: {}}}})
  })

  test('generators find the paths of an endpoint in it, and importing it makes commands that call one', async () => {
    const document = await home.json<{paths: object; webhooks: object}>([
      'webhook',
      'contract',
      '--format',
      'openapi',
    ])
    expect(Object.keys(document.paths).sort()).toEqual(['/auth', '/warm-up'])
    const types = astToString(await openapiTS(document as never))
    expect(types).toMatch(/"\/auth": \{.*?post: operations\["endpoint\.auth"\]/s)
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(4)

    const file = join(home.folder, 'endpoint.json')
    await writeFile(file, JSON.stringify(document))
    const imported = await home.run(['contract', 'import', file, '--name', 'endpoint'])
    expect(imported).toMatchObject({code: 0})
    expect((await home.run(['x', '-o', 'json'])).stdout).toContain('"operations"')
  })

  test('the page on holds names rules that there are', async () => {
    const page = await readFile('docs/first-webhook.md', 'utf8')
    const named = [...page.matchAll(/\((`[a-z-]+`(?:,\s`[a-z-]+`)*)\)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
    )
    const rules = contract.calls.flatMap(call => call.rules.map(({id}) => id))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(name => !rules.includes(name ?? ''))).toEqual([])
  })

  test('its Markdown has every field, value and code', async () => {
    const {stdout} = await show('--format', 'markdown')
    for (const {name, values = []} of fields) {
      // Both fields of an amount are described once, above.
      const [, whole] = /^(.+)\.(?:amount|currency)$/.exec(name) ?? []
      if (whole === undefined) expect(stdout).toContain(`| \`${name}\` |`)
      else expect(stdout).toContain(`| \`${whole}\` | amount`)
      for (const {value} of values) expect(stdout).toContain(`\`${value}\``.replace('`WARM_UP`', 'WARM_UP'))
    }
    const checks = [...(await checksOfRules()).values()].flat()
    expect(checks.length).toBeGreaterThan(100)
    expect(checks.filter(name => !stdout.includes(name))).toEqual([])
    for (const {code, use} of contract.codes) expect(stdout).toMatch(new RegExp(`\\| \`${code}\` .*${use}`))
  })

  test('its data has the same as -o json', async () => {
    expect(await home.json(['webhook', 'contract'])).toEqual(JSON.parse(JSON.stringify(contract)))
  })
})
