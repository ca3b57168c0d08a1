import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()
const text = {type: 'string'}
const object = (properties: object) => ({type: 'object', properties})
const ref = (name: string) => ({$ref: `#/components/schemas/${name}`})
const param = (name: string, place = 'path') => ({name, in: place, required: place === 'path', schema: text})
const operation = (operationId: string, schema: unknown, more: object = {}) => ({
  operationId,
  tags: ['t'],
  responses: {200: {description: '', ...json(schema)}},
  ...more,
})
const body = (schema: unknown) => ({requestBody: {required: true, ...json(schema)}})

/** An issuer that calls its ids tokens. */
const schemas = {
  user_response: object({
    token: text,
    parent_token: text,
    parent_user_token: text,
    first_name: text,
    ssn: text,
    birth_date: text,
    account_number: text,
    access_token: text,
    session_token: text,
  }),
  card_response: object({
    user_token: text,
    token: text,
    card_product_token: text,
    pan: text,
    cvv_number: text,
    activation: object({code: text, token: text}),
    last_four: text,
  }),
}
const page = (item: string) => object({has_more: {type: 'boolean'}, data: {type: 'array', items: ref(item)}})
const paths = {
  '/users': {
    get: operation('listUsers', page('user_response')),
    post: operation('makeUser', ref('user_response'), body(ref('user_response'))),
  },
  '/users/{token}': {get: operation('getUser', ref('user_response'), {parameters: [param('token')]})},
  '/users/{token}/ssn': {get: operation('getSsn', object({ssn: text}), {parameters: [param('token')]})},
  '/cardproducts/{token}': {
    get: operation('getProduct', object({token: text}), {parameters: [param('token')]}),
  },
  '/cards': {
    get: operation('listCards', page('card_response'), {parameters: [param('user_token', 'query')]}),
    post: operation('makeCard', ref('card_response'), body(object({user_token: text, pin: text}))),
  },
  '/cards/{token}/showpan': {get: operation('showPan', ref('card_response'), {parameters: [param('token')]})},
  '/pins/reveal': {post: operation('revealPin', object({pin: text}), body(object({card_token: text})))},
  '/cards/{token}': {get: operation('getCard', ref('card_response'), {parameters: [param('token')]})},
  '/cards/number/{pan}': {get: operation('byNumber', ref('card_response'), {parameters: [param('pan')]})},
  '/sessions/{token}': {delete: operation('endSession', object({}), {parameters: [param('token')]})},
}
const importIt = (...more: string[]) => shop().importPaths(paths, {components: {schemas}}, ...more)
const card = {
  user_token: 'usr_1',
  token: 'crd_1',
  card_product_token: 'cp_1',
  pan: '4111111111111111',
  activation: {code: 'A1', token: 'act_9'},
}

describe('a request of an imported contract', () => {
  it('has no fragment of its path, and a body of bytes goes as it is', async () => {
    const bytes = {'application/octet-stream': {schema: {type: 'string', format: 'byte'}}}
    const save = {...operation('save', object({})), requestBody: {required: true, content: bytes}}
    await shop().importPaths({'/files#save': {post: save}})
    const file = join(shop().folder, 'file.bin')
    await writeFile(file, 'not base64!')
    const {code, stderr} = await shop().run(['x', 't', 'save', '--data', `@${file}`, '--yes'])
    expect(code, stderr).toBe(0)
    expect(shop().requested()).toEqual(['POST /base/files'])
    expect(shop().service.requests.at(-1)?.body.toString()).toBe('not base64!')
  })
})

describe('fields of an imported contract', () => {
  it('are ids where a path takes them, whatever their names', async () => {
    await importIt()
    shop().answer = () => reply(200, card)
    const {code, stdout} = await shop().run(['x', 't', 'get-card', 'crd_1', '--yes', '-o', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      ...card,
      pan: '[masked]',
      activation: {code: 'A1', token: '[masked]'},
    })
    expect(shop().requested()).toEqual(['GET /base/cards/crd_1'])
  })

  it('are shown in lists, which disclose nothing', async () => {
    await importIt()
    shop().answer = () => reply(200, {has_more: false, data: [card]})
    const argv = ['x', 't', 'list-cards', '--user-token', 'usr_1', '-o', 'json']
    const {code, stdout} = await shop().run(argv)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({data: [{token: 'crd_1', user_token: 'usr_1', pan: '[masked]'}]})
    expect(shop().requested()).toEqual(['GET /base/cards?user_token=usr_1'])
  })

  it('are typed in a body, and the id of what was made is kept and shown', async () => {
    await importIt()
    shop().answer = () => reply(200, {...card, user_token: 'usr_1'})
    const made = await shop().run(['x', 't', 'make-card', '-F', 'user_token=usr_1', '--yes', '-o', 'json'])
    expect(made.code, made.stderr).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({token: 'crd_1', user_token: 'usr_1'})
    const [request] = JSON.parse((await shop().run(['requests', 'list', '-o', 'json'])).stdout)
    expect(request).toMatchObject({replyId: 'crd_1'})
    expect((await shop().run(['requests', 'show', request.id, '-o', 'json'])).stdout).toContain('usr_1')
  })

  it('stay secret where a name says so and no path does', async () => {
    await importIt()
    for (const field of ['pin=1234', 'access_token=x', 'account_number_pin=1234'])
      expect(await shop().run(['x', 't', 'make-card', '-F', field])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('SENSITIVE_IN_ARGV'),
      })
    const user = {token: 'usr_1', access_token: 'a', session_token: 's', parent_user_token: 'usr_0'}
    shop().answer = () => reply(200, user)
    const {stdout} = await shop().run(['x', 't', 'get-user', 'usr_1', '--yes', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual({...user, access_token: '[masked]', session_token: '[masked]'})
  })

  it('are secret in a path that names a credential or a card number', async () => {
    await importIt()
    for (const argv of [
      ['x', 't', 'end-session', 'abc'],
      ['x', 't', 'by-number', '4111111111111111'],
    ])
      expect((await shop().run(argv)).code).toBe(2)
    expect(shop().requested()).toEqual([])
  })

  it('are secret in what is a credential, also where the document calls ids tokens', async () => {
    const more = Object.fromEntries(
      ['businesses', 'programs', 'accounts', 'orders', 'fees', 'loans'].map(name => [
        `/${name}/{token}`,
        {get: operation(`get_${name}`, object({token: text}), {parameters: [param('token')]})},
      ]),
    )
    const credentials = [
      'sessions',
      'invitations',
      'password-resets',
      'oauth/tokens',
      'auth',
      'email-verifications',
    ]
    const guarded = Object.fromEntries(
      credentials.map((name, at) => [
        `/${name}/{token}`,
        {get: operation(`guarded_${at}`, object({token: text}), {parameters: [param('token')]})},
      ]),
    )
    const keys = {
      '/api-keys/{key}': {get: operation('guarded_key', object({}), {parameters: [param('key')]})},
    }
    const made = object({token: text, session: object({token: text}), auth: object({token: text})})
    const make = {'/orders': {post: operation('order', made, body(object({recovery_codes: text})))}}
    await shop().importPaths({...more, ...guarded, ...keys, ...make})
    for (const name of [...credentials.map((_, at) => `guarded-${at}`), 'guarded-key'])
      expect((await shop().run(['x', 't', name, 'TYPED'])).code, name).toBe(2)
    expect((await shop().run(['x', 't', 'order', '-F', 'recovery_codes=a'])).code).toBe(2)
    expect(shop().requested()).toEqual([])
    shop().answer = () => reply(200, {token: 'ord_1', session: {token: 's'}, auth: {token: 'a'}})
    const {stdout} = await shop().run(['x', 't', 'order', '--data', '{}', '--yes', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual({
      token: 'ord_1',
      session: {token: '[masked]'},
      auth: {token: '[masked]'},
    })
  })

  it('are hidden if a value looks like a secret, though the field is an id', async () => {
    await importIt()
    shop().answer = () => reply(200, {...card, token: '4111111111111111'})
    const {stdout} = await shop().run(['x', 't', 'get-card', 'crd_1', '--yes', '-o', 'json'])
    expect(stdout).not.toContain('4111111111111111')
  })

  it('about a person are shown to who asks, and kept nowhere', async () => {
    await importIt()
    const user = {token: 'usr_1', ssn: '123456789', birth_date: '1990-02-03', account_number: '55512345'}
    shop().answer = () => reply(200, user)
    const got = await shop().run(['x', 't', 'get-user', 'usr_1', '--yes', '-o', 'json', '--debug'])
    expect(JSON.parse(got.stdout)).toEqual(user)
    expect(got.stderr).not.toMatch(/123456789|1990-02-03|55512345/)
    expect(await shop().run(['x', 't', 'make-user', '-F', 'ssn=123456789'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SENSITIVE_IN_ARGV'),
    })
    const sent = {ssn: '123456789', birth_date: '1990-02-03', first_name: 'Aino'}
    await shop().run(['x', 't', 'make-user', '--data', '-', '--yes'], {stdin: JSON.stringify(sent)})
    const [request] = JSON.parse((await shop().run(['requests', 'list', '-o', 'json'])).stdout)
    const {stdout} = await shop().run(['requests', 'show', request.id, '-o', 'json'])
    expect(stdout).toContain('Aino')
    expect(stdout).not.toMatch(/123456789|1990-02-03/)
  })

  it('about a person stay out of the URLs that are kept or shown', async () => {
    const given = [param('iban'), param('date_of_birth', 'query'), param('page', 'query')]
    await shop().importPaths({
      '/payees/{iban}/checks': {post: operation('check', object({}), {parameters: given})},
    })
    const argv = ['x', 't', 'check', 'FI2112345600000785', '--date-of-birth', '1990-02-03', '--page', '4']
    const sent = await shop().run([...argv, '--yes', '--debug'])
    expect(sent.code, sent.stderr).toBe(0)
    expect(shop().requested()).toEqual([
      'POST /base/payees/FI2112345600000785/checks?date_of_birth=1990-02-03&page=4',
    ])
    expect(sent.stderr).toContain('page=4')
    const [request] = JSON.parse((await shop().run(['requests', 'list', '-o', 'json'])).stdout)
    const kept = await shop().run(['requests', 'show', request.id, '-o', 'json'])
    expect(kept.stdout).toContain('/base/payees/')
    for (const text of [sent.stderr, kept.stdout, JSON.stringify(request)])
      expect(text).not.toMatch(/FI2112345600000785|1990-02-03/)
    expect(await shop().run(['requests', 'retry', request.id, '--yes'])).not.toMatchObject({code: 0})
    expect(shop().requested()).toHaveLength(1)
    const plain = await shop().run(['api', 'GET', '/users?birth_date=1990-02-03', '--debug'])
    expect(shop().requested().at(-1)).toContain('birth_date=1990-02-03')
    expect(plain.stderr).not.toContain('1990-02-03')
  })

  it('decide the effect: what only shows a secret discloses, a list does not', async () => {
    await importIt()
    const {stdout} = await shop().run(['x', 't', '-o', 'json'])
    const effects = Object.fromEntries(
      (JSON.parse(stdout) as {command: string; effect: string}[]).map(one => [one.command, one.effect]),
    )
    expect(effects).toMatchObject({
      'x t list-users': 'read',
      'x t list-cards': 'read',
      'x t get-ssn': 'disclose',
      'x t show-pan': 'disclose',
      'x t reveal-pin': 'disclose',
      'x t make-card': 'write',
    })
  })

  it('are told by what stands beside and around them, and by what the document says of them', async () => {
    const number = {type: 'integer'}
    const said = (description: string) => ({type: 'string', description})
    const shown = object({
      card: object({number: text, expiry: text}),
      masked: object({card: object({number: said('The masked card number.')})}),
      payment: object({number: text, security_code: text}),
      invoice: object({number: text}),
      identifications: {type: 'array', items: object({type: text, value: text})},
      creditor: object({scheme_name: text, identification: text}),
      event: object({amount: number, authorization_code: text, authorization_amount: text}),
      login: object({authorization_code: text, cryptogram: text}),
      network_tokens: {type: 'array', items: object({id: text, token_last_four: text, access_token: text})},
      new_pan_from_card_token: text,
      token_max_life_minutes: number,
      next_page_token: text,
      version_token: text,
      merchant_token: said('Identifies the merchant.'),
      device_token: said('Identifies the device when it authenticates.'),
      auth_rule_token: text,
      pan_range_start: text,
      bank_identification_number: text,
      social_security_wages: text,
      secondary_tax_id: text,
    })
    await shop().importPaths({
      '/cards/{card_token}': {get: operation('get', shown, {parameters: [param('card_token')]})},
      '/auth_rules/{auth_rule_token}': {
        get: operation('rule', object({}), {parameters: [param('auth_rule_token')]}),
      },
    })
    const {stdout} = await shop().run(['contract', 'show', '--secrets', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual({
      number: {kind: 'secret', why: 'it is beside expiry'},
      security_code: {kind: 'secret', why: 'its name'},
      value: {kind: 'personal', why: 'its name, in identification'},
      identification: {kind: 'personal', why: 'it is beside scheme name'},
      authorization_code: {kind: 'plain', why: 'it is beside amount'},
      cryptogram: {kind: 'secret', why: 'its name, in login'},
      access_token: {kind: 'secret', why: 'its name'},
      new_pan_from_card_token: {kind: 'id', why: '{card_token} of /cards/{card_token}'},
      card_token: {kind: 'id', why: 'it is part of a path'},
      next_page_token: {kind: 'plain', why: 'it names a page or a version'},
      version_token: {kind: 'plain', why: 'it names a page or a version'},
      merchant_token: {kind: 'id', why: 'its description'},
      device_token: {kind: 'secret', why: 'its name'},
      auth_rule_token: {kind: 'id', why: expect.any(String)},
      secondary_tax_id: {kind: 'personal', why: 'its name'},
    })
    const answer = {
      card: {number: '1', expiry: '01/30'},
      masked: {card: {number: '2'}},
      payment: {number: '3', security_code: '4'},
      invoice: {number: '5'},
      event: {amount: 1, authorization_code: 'A1'},
      login: {authorization_code: 'A2'},
      network_tokens: [{id: 'n1', token_last_four: '1111', access_token: 'x', refresh_token: 'y'}],
      new_pan_from_card_token: 'crd_1',
      next_page_token: 'p2',
    }
    shop().answer = () => reply(200, answer)
    const got = await shop().run(['x', 't', 'get', 'crd_1', '--yes', '-o', 'json'])
    expect(JSON.parse(got.stdout)).toEqual({
      ...answer,
      card: {number: '[masked]', expiry: '01/30'},
      payment: {number: '[masked]', security_code: '[masked]'},
      login: {authorization_code: '[masked]'},
      network_tokens: [
        {id: 'n1', token_last_four: '1111', access_token: '[masked]', refresh_token: '[masked]'},
      ],
    })
  })

  it('are listed with the reason, in a file that can be changed and given back', async () => {
    const {stdout} = await importIt()
    expect(stdout).toContain('contract show --secrets --contract own')
    const shown = await shop().run(['contract', 'show', '--secrets', '-o', 'yaml'])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/user_token:\s+kind: id\s+why: .*\/users\/\{token\}/)
    expect(shown.stdout).toMatch(/ssn:\s+kind: personal/)
    expect(shown.stdout).toMatch(/pan:\s+kind: secret/)
    const file = join(shop().folder, 'secrets.yaml')
    await writeFile(file, shown.stdout.replace(/(access_token:\s+kind: )secret/, '$1plain'))
    expect(await readFile(file, 'utf8')).toContain('plain')
    await importIt('--secrets', file)
    shop().answer = () => reply(200, {token: 'usr_1', access_token: 'shown', session_token: 's'})
    const got = await shop().run(['x', 't', 'get-user', 'usr_1', '--yes', '-o', 'json'])
    expect(JSON.parse(got.stdout)).toEqual({token: 'usr_1', access_token: 'shown', session_token: '[masked]'})
  })

  it('refuse a file about fields that are not there, or with other words', async () => {
    const file = join(shop().folder, 'secrets.yaml')
    const argv = ['contract', 'import', join(shop().folder, 'doc.json'), '--name', 'own', '--secrets', file]
    await importIt()
    for (const [line, says] of [
      ['usertoken: id', 'Did you mean user_token?'],
      ['ssn: private', 'must be one of'],
      ['- ssn', 'says nothing about fields'],
    ] as const) {
      await writeFile(file, line)
      expect(await shop().run(argv)).toMatchObject({code: 2, stderr: expect.stringContaining(says)})
    }
  })
})
