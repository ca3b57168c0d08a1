// What the service was told may come back in any words: it is hidden in what is said and logged of the answer.
import {afterEach, expect, test} from 'vitest'
import type {Auth} from '../../src/profiles/target.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {type Behaviour, FaultyService} from './faulty-service.ts'
import {failureOf, type OpenSender, openSender, operation, still, target} from './surround.ts'

let service: FaultyService
let sender: OpenSender
afterEach(async () => {
  await sender.close()
  await service.close()
})

const secret = (text: string) => async () => new Secret(text)
const ways: Record<string, {auth: Auth; told: readonly string[]}> = {
  basic: {
    auth: {type: 'basic', user: 'ops', password: secret('pass-word-b8')},
    told: ['pass-word-b8', 'b3BzOnBhc3Mtd29yZC1iOA=='],
  },
  bearer: {auth: {type: 'bearer', token: secret('tok-en-77')}, told: ['tok-en-77']},
  header: {auth: {type: 'header', name: 'x-own', value: secret('val-ue-91')}, told: ['val-ue-91']},
}

/** An operation with a marked member; the body has another under a secret's name. */
const write = operation({
  effect: 'write',
  method: 'POST',
  idempotent: true,
  sensitive: {request: ['/block'], reply: []},
})
const body = {block: 'marked-b1ock', more: {clientSecret: 'named-s3cret'}}
const members = [body.block, body.more.clientSecret]

async function tell(behaviour: Behaviour, auth: Auth) {
  service = new FaultyService(behaviour)
  const surroundings = still()
  sender = openSender(target(await service.listen(), {auth}), surroundings)
  const sent = sender.send({operation: write, input: {path: {id: '1'}, query: {}, body}})
  const {message, details} = await failureOf(sent)
  return {said: JSON.stringify([message, details]), logged: surroundings.lines.join('\n')}
}

test.each(Object.entries(ways))(
  '%s: whatever the service quotes, in whatever words',
  async (_, {auth, told}) => {
    const all = [...told, ...members]
    const quote = `you said ${all.join(' and ')}`
    const headers = {'content-type': 'application/json', 'x-echo': quote}
    const {said, logged} = await tell(
      {status: 422, headers, body: JSON.stringify({title: quote, list: [quote]})},
      auth,
    )
    for (const each of all) {
      expect(said).not.toContain(each)
      expect(logged).not.toContain(each)
    }
    expect(said).toContain('you said [masked]')
    expect(logged).toContain('x-echo: you said [masked]')
  },
)

test.each(['text/plain', 'text/html'])('in %s too', async type => {
  const page = `<html><title>you said tok-en-77</title>tok-en-77</html>`
  const {said, logged} = await tell(
    {status: 400, headers: {'content-type': type}, body: page},
    {type: 'bearer', token: secret('tok-en-77')},
  )
  expect(said + logged).not.toContain('tok-en-77')
})

test.each(['text/plain', 'text/html'])('nor do card numbers in %s come through', async type => {
  const page = '<html><title>No card 4111111111111111</title></html>'
  const text = type === 'text/html' ? page : 'No card 4111111111111111'
  const {said, logged} = await tell(
    {status: 400, headers: {'content-type': type}, body: text},
    {type: 'none'},
  )
  expect(said).toContain('No card 411111••••••1111')
  expect(said + logged).not.toContain('4111111111111111')
})

test('what a token endpoint quotes of the client secret is hidden', async () => {
  const echo = {error: 'invalid_client', error_description: 'for client-s3cret'}
  service = new FaultyService({
    status: 401,
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(echo),
  })
  const url = await service.listen()
  const auth: Auth = {
    type: 'oauth2',
    tokenUrl: `${url}/token`,
    clientId: 'cli',
    clientSecret: secret('client-s3cret'),
  }
  sender = openSender(target(url, {auth}), still())
  const {message, details} = await failureOf(
    sender.send({operation: write, input: {path: {id: '1'}, query: {}, body}}),
  )
  expect(message).toContain('for [masked]')
  expect(JSON.stringify(details)).not.toContain('client-s3cret')
})

/** What would be in the answers of services: a password or secret as it is, and escaped in every usual way. */
const awkward = 'p+a/s=s~w&o"r<d %é'
const spellings = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  encodeURIComponent(text).toLowerCase(),
  new URLSearchParams({'': text}).toString().slice(1),
  JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  text.replace(/./gs, unit => `&#${unit.charCodeAt(0)};`),
  Buffer.from(text).toString('base64'),
  Buffer.from(`ops:${text}`).toString('base64url'),
]

test.each(['basic', 'oauth2'] as const)('%s: a secret is hidden however it is escaped', async type => {
  for (const quoted of spellings(awkward)) {
    const json = JSON.stringify({title: `told ${quoted} here`})
    service = new FaultyService({status: 401, headers: {'content-type': 'application/json'}, body: json})
    const url = await service.listen()
    const auth: Auth =
      type === 'basic'
        ? {type, user: 'ops', password: secret(awkward)}
        : {type, tokenUrl: `${url}/token`, clientId: 'ops', clientSecret: secret(awkward)}
    const surroundings = still()
    sender = openSender(target(url, {auth}), surroundings)
    const sent = sender.send({operation: write, input: {path: {id: '1'}, query: {}, body}})
    const {message, details} = await failureOf(sent)
    expect(message).toContain('told [masked] here')
    expect(JSON.stringify(details) + surroundings.lines.join('')).not.toContain(
      JSON.stringify(quoted).slice(1, -1),
    )
    await sender.close()
    await service.close()
  }
})

test('a token in a successful response is hidden too', async () => {
  const quoted = JSON.stringify({
    id: '1',
    description: 'for tok-en-77-and-more',
    other: ['tok-en-77-and-more'],
  })
  service = new FaultyService({status: 200, headers: {'content-type': 'application/json'}, body: quoted})
  const auth: Auth = {type: 'bearer', token: secret('tok-en-77-and-more')}
  const surroundings = still()
  sender = openSender(target(await service.listen(), {auth}), surroundings)
  const answer = await sender.send({operation: operation(), input: {path: {id: '1'}, query: {}}})
  expect(answer.body).toEqual({id: '1', description: 'for [masked]', other: ['[masked]']})
  expect(surroundings.lines.join('\n')).not.toContain('tok-en-77')
})

test.each(['text/plain', 'application/json'])(
  'in long words of %s nothing is cut before it is masked',
  async type => {
    const secretToken = 'tok-en-77-and-more'
    for (const quoted of ['4111111111111111', secretToken]) {
      for (let before = 975; before < 1002; before++) {
        const words = `${'x'.repeat(before)} ${quoted} ${'y'.repeat(4000)}`
        const text = type === 'text/plain' ? words : JSON.stringify({title: words})
        service = new FaultyService({status: 422, headers: {'content-type': type}, body: text})
        const surroundings = still()
        const auth: Auth = {type: 'bearer', token: secret(secretToken)}
        sender = openSender(target(await service.listen(), {auth}), surroundings)
        const sent = sender.send({operation: write, input: {path: {id: '1'}, query: {}, body}})
        const {message} = await failureOf(sent)
        const shown = message + surroundings.lines.join('\n')
        expect(message.length).toBeLessThan(1200)
        expect(shown).not.toContain('tok-en')
        expect(shown).not.toMatch(/4111111/)
        await sender.close()
        await service.close()
      }
    }
  },
)

test.each(['type', 'id', 'status', 'timestamp', 'instance', 'title', 'detail', 'own'])(
  'a card number in the member %s of a problem is masked',
  async name => {
    const problem = JSON.stringify({[name]: 'card 4111111111111111'})
    const headers = {'content-type': 'application/problem+json'}
    const {said} = await tell({status: 422, headers, body: problem}, {type: 'none'})
    expect(said).toContain('411111••••••1111')
    expect(said).not.toContain('4111111111111111')
  },
)

test('a card number in the address of a request is masked in the log, one that the contract types is not', async () => {
  service = new FaultyService({status: 200, headers: {'content-type': 'application/json'}, body: '{}'})
  const surroundings = still()
  sender = openSender(target(await service.listen()), surroundings)
  const unknown = operation({path: '/v9/4111111111111111', pathParams: []})
  await sender.send({operation: unknown, input: {path: {}, query: {}}})
  await sender.send({operation: operation(), input: {path: {id: '4111111111111111'}, query: {}}})
  const [first, second] = surroundings.lines.filter(line => line.startsWith('> GET'))
  expect(first).toContain('/v9/411111••••••1111')
  expect(second).toContain('/v4/4111111111111111')
})
