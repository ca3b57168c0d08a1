// Drafts of dialects: measured against those that people wrote, and usable for whatever document.
import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {askDraft} from '../../src/commands/contract/shared/ask-draft.ts'
import {usableText} from '../../src/commands/contract/shared/draft-dialect.ts'
import {Dialect, readDialect} from '../../src/dialect/index.ts'
import {draftDialect, type ImportedDocument, readDocument} from '../../src/imported/index.ts'
import {runs} from '../helpers/whole.ts'
import {publicDocument} from '../imported/public-documents.ts'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const HEAD = ['dialect: 1', 'name: draft']

let own: ImportedDocument
beforeAll(async () => {
  own = await readDocument({file: path('../../src/contract/openapi.gen.yaml')})
})

const drafted = async (document: ImportedDocument) => usableText(draftDialect(own, document), HEAD)

async function dialectIn(text: string): Promise<Dialect> {
  const {compiled, problems} = await readDialect(text)
  if (compiled === undefined) throw new Error(problems.map(({message}) => message).join('; '))
  return new Dialect(compiled, '')
}

/** Members and values that a draft has as the dialect that a person wrote, and those that it has otherwise. */
async function compared(text: string, example: string) {
  const written = await readFile(path(`../../examples/dialects/${example}`), 'utf8')
  const [mine, theirs] = [await dialectIn(text), await dialectIn(written)]
  const count = {right: 0, other: [] as string[], more: [] as string[], whole: 0}
  for (const id of Object.keys((parse(written) as {operations: object}).operations)) {
    const wanted = theirs.requests(id)
    count.whole += wanted.flatMap(({input, output}) => [...input, ...output]).length
    for (const {request, input, output} of mine.requests(id)) {
      const same = wanted.find(
        one => one.request.replace(/\{.*?\}/g, '{}') === request.replace(/\{.*?\}/g, '{}'),
      )
      const known = [...(same?.input ?? []), ...(same?.output ?? [])].map(one => ({
        ...one,
        theirs: one.theirs?.replace(/path:.*/, 'path'),
      }))
      for (const {ours, theirs: at, as} of [...input, ...output]) {
        const hand = known.filter(one => one.ours === ours)
        const place = `${id} ${request} ${ours}: ${at} ${as ?? ''}`.trim()
        if (hand.some(one => one.theirs === at?.replace(/path:.*/, 'path') && one.as === as)) count.right++
        else if (hand.length > 0) count.other.push(place)
        else count.more.push(place)
      }
    }
  }
  return count
}

/** What maps of values have as a person has it, and otherwise, whatever member they are of. */
function pairsIn(text: string): Set<string> {
  const found = new Set<string>()
  const walk = (node: unknown, name: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (name === 'values' && typeof value !== 'object') found.add(`${key}=${value}`)
      walk(value, key)
    }
  }
  walk(parse(text), '')
  return found
}

describe('beside the dialect of the made-up issuer', () => {
  let text: string
  beforeAll(async () => {
    text = (await drafted(await readDocument({file: path('documents/harbour.yaml')}))).text
  })

  test('what is sure is right', async () => {
    const {right, other, more, whole} = await compared(text, 'harbour.yaml')
    expect(other).toEqual([])
    expect(more).toEqual([])
    expect({right, whole}).toMatchInlineSnapshot(`
      {
        "right": 101,
        "whole": 281,
      }
    `)
  })

  test('values are those of the person', async () => {
    const written = await readFile(path('../../examples/dialects/harbour.yaml'), 'utf8')
    const hand = parse(written) as {values: Record<string, Record<string, string>>}
    const known = new Set([
      ...pairsIn(written),
      ...Object.values(hand.values).flatMap(map => Object.entries(map).map(([a, b]) => `${a}=${b}`)),
    ])
    const pairs = [...pairsIn(text)]
    expect(pairs.filter(one => !known.has(one))).toEqual([])
    expect(pairs.length).toBeGreaterThanOrEqual(15)
  })

  test('the manner of the service, and the form of its ids', () => {
    expect(parse(text)).toMatchObject({
      envelope: '/data',
      key: 'header:Idempotency-Key',
      errors: {code: '/error/code', message: '/error/message'},
      ids: {card: '^crd_[0-9]+$', account: '^acc_[0-9]+$', customer: '^cus_[0-9]+$'},
    })
  })

  test('no amount, transfer or secret by a guess', () => {
    const {operations} = parse(text) as {operations: Record<string, unknown>}
    expect(Object.keys(operations).filter(id => /^(?:a2a\.create|pin)/.test(id))).toEqual([])
    expect(JSON.stringify(operations)).not.toMatch(/minor|decimal/)
    expect(text).toMatch(/# .*credit_limit_minor, as: minor.*# unsure: .*2 is a guess/)
  })
})

test('beside the dialect of a public card issuing API', async ({skip}) => {
  const file = publicDocument('cards-a.yaml')
  if (file === undefined) return skip('CARDCTL_DOCUMENTS has no such document')
  const {text} = await drafted(await readDocument({file}))
  const {right, other, more, whole} = await compared(text, 'card-program.yaml')
  expect(other).toEqual([])
  // Accounts are users in the dialect. The document has accounts, too.
  expect(more.filter(one => !one.startsWith('cards.listByAccount.v4 GET /accounts/'))).toEqual([])
  expect({right, whole}).toMatchInlineSnapshot(`
    {
      "right": 15,
      "whole": 104,
    }
  `)
})

/** A document with one request. */
const oneRequest = (
  at: string,
  request: object,
  answer: object,
  parameters: readonly object[] = [],
  words: object = {},
) => {
  const [method = '', where = ''] = at.split(' ')
  const json = (schema: object) => ({content: {'application/json': {schema}}})
  const body = method === 'get' ? {} : {requestBody: {required: true, ...json(request)}}
  const operation = {...words, parameters, ...body, responses: {200: {description: 'Done', ...json(answer)}}}
  return readDocument({
    name: 'one',
    text: JSON.stringify({
      openapi: '3.1.0',
      info: {title: 'One', version: '1'},
      paths: {[where]: {[method]: operation}},
    }),
  })
}
const object = (properties: Record<string, object>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const [text, time] = [{type: 'string'}, {type: 'string', format: 'date-time'}]
const id = {name: 'id', in: 'path', required: true, schema: text}

/** A person who takes the first of every guess. */
const first = async <T extends string>(_: string, choices: readonly {value: T}[]): Promise<T> => {
  const [one] = choices
  if (one === undefined) throw new Error('no choice')
  return one.value
}

describe('a guess is a comment', () => {
  test('that becomes a line of the dialect without its "# "', async () => {
    const {text: written} = await drafted(await readDocument({file: path('documents/harbour.yaml')}))
    const lines = written.split('\n')
    const guesses = lines.flatMap((line, at) =>
      /^ {4}# \/\w+.*: .*# unsure/.test(line) && !/: +# unsure/.test(line) ? [at] : [],
    )
    expect(guesses.length).toBeGreaterThan(2)
    for (const at of guesses) {
      const edited = lines.map((line, index) => (index === at ? line.replace('# ', '') : line)).join('\n')
      expect((await readDialect(edited)).problems).toEqual([])
    }
    // A whole operation, with its list.
    const from = lines.indexOf('#   a2a.list.v1:')
    const edited = lines.map((line, at) => (at >= from ? line.replace(/^# (?= )/, '') : line)).join('\n')
    expect((await readDialect(edited)).problems).toEqual([])
    expect(edited).toContain('\n  a2a.list.v1:\n')
  })

  test('a transfer, though the document leaves no doubt', async () => {
    const transfer = object({
      from_account_id: text,
      to_account_id: text,
      currency: text,
      amount: {type: 'integer', description: 'In minor units.'},
    })
    const answer = object({
      id: text,
      status: {type: 'string', enum: ['IN_PROGRESS', 'COMPLETED', 'FAILED']},
      start_time: time,
    })
    const document = await oneRequest(
      'post /transfers',
      object({transfers: {type: 'array', items: transfer}}, ['transfers']),
      answer,
    )
    const {text: written, isUsable} = await drafted(document)
    expect(isUsable).toBe(false)
    expect(written).toMatch(/#\s+# unsure: .*it moves money, so a person must look at it/)
    expect(written).toContain('/fromAccountId: /from_account_id # sure')
    expect(written).toContain('/amount: {at: /amount, as: minor, currency: currency} # sure')
  })

  test('a PUT of the whole, a change without an id in its path, and what it requires besides', async () => {
    const state = object({state: {type: 'string', enum: ['open', 'blocked']}}, ['state'])
    const put = await drafted(await oneRequest('put /accounts/{id}', state, object({id: text}), [id]))
    expect(put.text).toContain('a PUT may delete what it is not given')
    const created = await drafted(
      await oneRequest('post /accounts', object({account_id: text, state: text}), object({id: text})),
    )
    expect(created.text).toContain('without an id in the path it may create')
    const more = {...state, properties: {...state.properties, channel: text}, required: ['state', 'channel']}
    const needy = await drafted(await oneRequest('post /accounts/{id}/state', more, object({id: text}), [id]))
    expect(needy.text).toContain('it requires /channel: say in with what to send')
    for (const one of [put, created, needy]) expect(one.isUsable).toBe(false)
    const plain = await drafted(
      await oneRequest('post /accounts/{id}/state', state, object({id: text}), [id], {
        operationId: 'changeState',
      }),
    )
    expect(plain).toMatchObject({
      isUsable: true,
      text: expect.stringContaining(
        '/status: {at: /state, values: {ACCOUNT_OK: open, ACCOUNT_BLOCKED: blocked}} # sure',
      ),
    })
  })

  const status = object({status: {type: 'string', enum: ['active', 'blocked', 'closed']}})
  test.for([
    ['post /accounts/{id}/state', 'reopenAccount', 'Reopens a closed account', 'says reopen'],
    ['patch /accounts/{id}', 'closeAccount', 'Close the account for good', 'says close'],
    ['patch /accounts/{id}', 'updateAccount', 'Update an account, or terminates it', 'says terminate'],
    ['patch /accounts/{id}', 'konto', undefined, 'only its path and method say what it does'],
    ['post /accounts/{id}/state', undefined, undefined, 'only its path and method say what it does'],
    ['delete /pricelists/{id}', 'archivePriceList', undefined, 'says archive'],
    ['get /cards/{id}', 'cancelCard', undefined, 'says cancel'],
    ['get /cards/{id}', 'card_cancellation', undefined, 'says cancellation'],
    ['get /cards/{id}', 'karteSperren', undefined, 'says karte, sperren'],
    ['get /cards/{id}', undefined, 'Activates the card and returns it', 'says activate'],
    ['get /cards/{id}', 'updateCard', undefined, 'says update'],
    ['get /cards/{id}/plastics', 'orderPlastic', 'Order a new plastic', 'says order'],
  ] as const)('%s that calls itself %s, %s', async ([at, operationId, summary, why]) => {
    const answer = at.endsWith('plastics') ? {type: 'array', items: object({id: text})} : object({id: text})
    const {text: written, isUsable} = await drafted(
      await oneRequest(at, status, answer, [id], {operationId, summary}),
    )
    expect(isUsable).toBe(false)
    expect(written).toContain(why)
  })

  test.for([
    ['patch /accounts/{id}', 'editAccount', 'Change what may be changed of a closed account'],
    ['delete /pricelists/{id}', 'removePriceList', 'Deletes a price list'],
    ['get /cards/{id}', 'getCard', 'Get a card, with the state of its last order'],
    ['get /cards/{id}', 'CardController_findOne', undefined],
    ['get /cards/{id}', 'cardDetails', 'The card, cancelled or not'],
    ['get /cards/{id}', undefined, undefined],
  ] as const)('not %s that calls itself %s, %s', async ([at, operationId, summary]) => {
    const document = await oneRequest(at, status, object({id: text}), [id], {operationId, summary})
    expect(await drafted(document)).toMatchObject({isUsable: true})
  })

  test.for([
    ['two members of the same name', {id: text, token: text}, /# \/id: .*# unsure/],
    [
      'a card number of which there are the last four digits',
      {id: text, pan: text, last_four: text},
      /\/maskedCardNumber: \{at: \/last_four, as: last4\} # sure/,
    ],
    ['a card number that is not masked', {id: text, pan: text}, /missing:.*\/maskedCardNumber/],
    [
      'an amount that may be in minor units',
      {
        id: text,
        usage_limits: {
          type: 'array',
          items: object({
            code: text,
            values: {type: 'array', items: object({code: text, sum_amount: {type: 'integer'}})},
          }),
        },
      },
      /# .*\/sum_amount, as: minor/,
    ],
    ['states that are not listed', {id: text, status: text}, /# \/status: \/status # unsure/],
    [
      'a year and month in a form that nobody shows',
      {id: text, expiry: text},
      /# \/expiration: \{at: \/expiry, as: MMYY\} # unsure/,
    ],
  ] as const)('%s', async ([, members, expected]) => {
    const {text: written} = await drafted(await oneRequest('get /cards/{id}', {}, object(members), [id]))
    expect(written).toMatch(expected)
  })
})

describe('for any document', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'card',
      'cards',
      'card_id',
      'account',
      'accounts',
      'customer_id',
      'token',
      'state',
      'status',
      'limit',
      'limits',
      'page',
      'size',
      'amount',
      'currency',
      'expires',
      'data',
      'transfers',
      'pan',
      'plastics',
      'reference',
      'id',
      'items',
      'description',
    ),
    fc.constantFrom(
      'a/b',
      'm~n',
      '[x=1]',
      '#',
      'a: b',
      "it's",
      '"',
      'line\nbreak',
      'true',
      '-',
      '*all',
      '{}',
      'ключ',
      '__proto__',
      '',
      ' ',
    ),
    fc.string({maxLength: 6}),
  )
  const schema: fc.Memo<object> = fc.memo(depth => {
    const value = fc.oneof(
      fc.record({type: fc.constantFrom('string', 'integer', 'number', 'boolean')}),
      fc.record({
        type: fc.constant('string'),
        enum: fc.array(
          fc.oneof(
            fc.constantFrom('ACTIVE', 'blocked', 'open', 'closed', 'CARD_OK'),
            fc.string({maxLength: 5}),
          ),
          {minLength: 1, maxLength: 5},
        ),
      }),
      fc.record({
        type: fc.constant('string'),
        format: fc.constantFrom('date-time', 'date', 'uuid', 'decimal'),
      }),
      fc.record({
        type: fc.constant('string'),
        pattern: fc.constantFrom('^[0-9]+$', '^(a+)+$', '(?=x)', '[', '^\\d{4}-\\d\\d$'),
        example: fc.constantFrom('0829', '12.50'),
      }),
      fc.record({
        type: fc.constant('integer'),
        description: fc.constant('In minor units.'),
        default: fc.integer(),
      }),
      fc.constant({}),
    )
    if (depth <= 1) return value
    const object = fc
      .dictionary(word, schema(depth - 1), {maxKeys: 6})
      .chain(properties =>
        fc.subarray(Object.keys(properties)).map(required => ({type: 'object', properties, required})),
      )
    return fc.oneof(
      value,
      object,
      object,
      schema(depth - 1).map(items => ({type: 'array', items})),
    )
  })
  const segment = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'cards',
        'accounts',
        'transfers',
        'plastics',
        'customer',
        'state',
        'limits',
        'pricelists',
        'v1',
      ),
    },
    word.map(one => encodeURIComponent(one)),
  )
  const parameter = fc.constantFrom(
    'card_id',
    'id',
    'token',
    'account_id',
    'customer_id',
    'reference',
    'a.b',
    'x-y',
  )
  const operation = fc.record({
    steps: fc.array(segment, {minLength: 1, maxLength: 3}),
    id: fc.option(parameter),
    method: fc.constantFrom('get', 'post', 'put', 'patch', 'delete'),
    query: fc.uniqueArray(
      fc.constantFrom('customer_id', 'account_id', 'offset', 'page', 'limit', 'a b', 'x'),
      {maxLength: 4},
    ),
    isRequired: fc.boolean(),
    body: schema(3),
    reply: schema(4),
    header: fc.boolean(),
  })
  /** What a service of cards has, with members of any kind. */
  const usual = fc
    .record({
      place: fc.constantFrom(
        {steps: ['cards'], id: 'card_id', method: 'get'},
        {steps: ['cards'], id: 'token', method: 'get'},
        {steps: ['card_references'], id: 'reference', method: 'get'},
        {steps: ['accounts'], id: 'account_id', method: 'patch'},
        {steps: ['transfers'], id: 'id', method: 'get'},
      ),
      body: schema(3),
      own: fc.subarray(['id', 'token', 'account_id', 'customer_id', 'state', 'expires', 'description']),
      more: fc.dictionary(word, schema(3), {maxKeys: 5}),
      header: fc.boolean(),
    })
    .map(({place, body, own, more, header}) => ({
      ...place,
      body,
      header,
      query: [],
      isRequired: false,
      reply: {
        type: 'object',
        properties: {...more, ...Object.fromEntries(own.map(name => [name, {type: 'string'}]))},
      },
    }))
  const documents = fc.array(fc.oneof(operation, usual), {minLength: 1, maxLength: 8}).map(all => {
    const paths: Record<string, Record<string, unknown>> = {}
    for (const one of all) {
      const at = `/${one.steps.join('/')}${one.id === null ? '' : `/{${one.id}}`}`
      const item = paths[at] ?? {}
      paths[at] = item
      item[one.method] = {
        parameters: [
          ...(one.id === null
            ? []
            : [
                {
                  name: one.id,
                  in: 'path',
                  required: true,
                  schema: {type: 'string', pattern: one.header ? '^(?!x)' : '^x'},
                },
              ]),
          ...one.query.map((name: string) => ({
            name,
            in: 'query',
            required: one.isRequired,
            schema: {type: 'string'},
          })),
          ...(one.header
            ? [{name: 'Idempotency-Key', in: 'header', required: true, schema: {type: 'string'}}]
            : []),
        ],
        ...(one.method === 'get' ? {} : {requestBody: {content: {'application/json': {schema: one.body}}}}),
        responses: {200: {description: 'Done', content: {'application/json': {schema: one.reply}}}},
      }
    }
    return {openapi: '3.1.0', info: {title: 'Any', version: '1'}, paths}
  })

  test('a draft is a dialect that is accepted, or has nothing that is sure', async () => {
    let usable = 0
    await fc.assert(
      fc.asyncProperty(documents, async document => {
        const read = await readDocument({text: JSON.stringify(document), name: 'any'})
        const draft = draftDialect(own, read)
        const {text, isUsable} = await usableText(draft, HEAD)
        const {problems} = await readDialect(text)
        expect(isUsable).toBe(problems.length === 0)
        const guessed = await usableText(await askDraft(draft, {choose: first}), HEAD)
        expect(guessed.isUsable).toBe((await readDialect(guessed.text)).problems.length === 0)
        expect(guessed.isUsable || !isUsable).toBe(true)
        if (isUsable) usable++
        else expect(problems).toEqual([expect.objectContaining({message: 'operations must be an object'})])
      }),
      {numRuns: runs(150)},
    )
    expect(usable).toBeGreaterThan(5)
  })
})
