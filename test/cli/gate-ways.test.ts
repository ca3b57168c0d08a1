import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

/** What the gate of a live profile demands, whichever command makes the request. */
interface Rule {
  readonly name: string
  readonly profile: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Flags that agree to it; undefined where nothing does. */
  readonly agreed?: string
}

const CLOSES = {status: 'ACCOUNT_TO_CLOSE'}
const RULES: readonly Rule[] = [
  {
    name: 'an irreversible value is named',
    profile: 'prod',
    method: 'PATCH',
    path: '/v4/CREDIT/2001',
    body: {status: 'ACCOUNT_COLLECTION'},
    agreed: '--confirm ACCOUNT_COLLECTION --confirm 2001',
  },
  {
    name: 'an irreversible value in the path is named',
    profile: 'prod',
    method: 'POST',
    path: '/v3/2001/update/WRITE_OFF',
    body: {},
    agreed: '--confirm WRITE_OFF --confirm 2001',
  },
  {
    name: 'what is deleted is named',
    profile: 'prod',
    method: 'DELETE',
    path: '/v1/pricelist/5002',
    agreed: '--confirm 5002',
  },
  {
    name: 'what a POST deletes is named',
    profile: 'prod',
    method: 'POST',
    path: '/v1/remotecheckout/NETWORK_A/delete/card/3001',
    body: {customerBID: 'B'},
    agreed: '--confirm 3001',
  },
  {
    name: 'a PIN operation of v2 is allowed',
    profile: 'prod',
    method: 'POST',
    path: '/v2/set',
    body: {controlId: 'c1', pinBlock: 'c2VjcmV0LWI='},
    agreed: '--yes --allow-v2',
  },
  {name: 'nothing is written', profile: 'ro', method: 'PATCH', path: '/v4/DEBIT/2002', body: {name: 'A'}},
  {name: 'no secret is disclosed', profile: 'ro', method: 'POST', path: '/v4/card/3001/controlToken'},
  {
    name: 'what cannot be undone needs a second person',
    profile: 'pair',
    method: 'PATCH',
    path: '/v4/DEBIT/2002',
    body: CLOSES,
  },
  {
    name: 'what is deleted needs a second person',
    profile: 'pair',
    method: 'DELETE',
    path: '/v1/pricelist/period/6003',
  },
  {
    name: 'transfers over the limit need a second person',
    profile: 'pair',
    method: 'POST',
    path: '/v1/a2a/batches',
    body: {
      description: 'Rent',
      transfers: [{fromAccountId: '2006', toAccountId: '2007', amount: 6, currency: 'EUR', text: 'R'}],
    },
  },
]

/** How a path can be written and still reach the same operation somewhere. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'as it is': path => path,
  'with a prefix': path => `/any/prefix${path}`,
  'with more slashes': path => path.replaceAll(/(?<=.)\//g, '//'),
  'in lower case': path => path.toLowerCase(),
  'in upper case': path => path.toUpperCase(),
  'percent-encoded': path => path.replace(/[a-zA-Z]/g, letter => `%${letter.charCodeAt(0).toString(16)}`),
  'encoded twice': path =>
    path.replace(/[A-Za-z](?=[^A-Za-z]*$)/, letter => `%25${letter.charCodeAt(0).toString(16)}`),
  'with a parameter': path => `${path};v=1`,
}

let home: Home
let service: Service
let folder: string
let sent: string[] = []
let documents = 0

beforeAll(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'gate-'))
  service = await openService(({method, url}) => {
    sent.push(`${method} ${url}`)
    return reply(200, {id: '1', status: 'OK', description: ''})
  })
  const add = (name: string, ...flags: string[]) =>
    home.json([
      ...['profiles', 'add', name, '--kind', 'live', '--base-url', service.url],
      ...['--profile-audit-user', 'aino', '--auth', 'none', ...flags],
    ])
  await add('prod')
  await add('ro', '--read-only')
  const pair = ['irreversible', 'destroyed', 'EUR:5'].flatMap(rule => ['--second-person-for', rule])
  await add('pair', ...pair, '--proposals', folder)
})
afterAll(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

type Way = (rule: Rule, path: string, flags: string) => Promise<{code: number; stderr: string}>

const words = (text: string): string[] => (text === '' ? [] : text.split(' '))

const byApi: Way = ({method, body, profile}, path, flags) =>
  home.run(
    ['api', method, path, ...(body === undefined ? [] : ['--data', '-']), ...words(flags), '-p', profile],
    body === undefined ? {} : {stdin: JSON.stringify(body)},
  )

const byImported: Way = async ({method, body, profile}, path, flags) => {
  const name = `own-${++documents}`
  const file = join(folder, `${name}.json`)
  const requestBody = {content: {'application/json': {schema: {type: 'object'}}}}
  const document = {
    openapi: '3.1.0',
    info: {title: 'T', version: '1'},
    paths: {
      [path]: {
        [method.toLowerCase()]: {
          operationId: 'go',
          tags: ['own'],
          ...(body === undefined ? {} : {requestBody}),
          responses: {200: {description: 'Done'}},
        },
      },
    },
  }
  await writeFile(file, JSON.stringify(document))
  const imported = await home.run(['contract', 'import', file, '--name', name, '-p', profile])
  if (imported.code !== 0) return imported
  return home.run(
    [
      'x',
      'own',
      'go',
      '--contract',
      name,
      ...(body === undefined ? [] : ['--data', '-']),
      ...words(flags),
      '-p',
      profile,
    ],
    body === undefined ? {} : {stdin: JSON.stringify(body)},
  )
}

const WAYS: Readonly<Record<string, Way>> = {api: byApi, x: byImported}

describe.each(RULES)('on a live profile: $name', rule => {
  describe.each(Object.entries(WAYS))('by %s', (_, send) => {
    it.each(Object.entries(SPELLINGS))('%s', async (_name, spell) => {
      const path = spell(rule.path)
      for (const flags of ['--yes', '--yes --no-check-input']) {
        sent = []
        const {code, stderr} = await send(rule, path, flags)
        expect({code, sent, stderr}).toEqual({
          code: expect.toSatisfy((one: number) => one === 2 || one === 3),
          sent: [],
          // What cannot be a request of the contract is refused as such, unless it is sent unchecked.
          stderr: expect.stringMatching(/CONFIRMATION_REQUIRED|GATE_REFUSED|CONTRACT_VIOLATION/),
        })
      }
    })

    it.runIf(rule.agreed !== undefined)('and goes out once it is agreed to', async () => {
      sent = []
      const {code, stderr} = await send(rule, rule.path, rule.agreed ?? '')
      expect({code, sent, stderr}).toEqual({code: 0, sent: [expect.stringContaining(rule.path)], stderr})
    })
  })
})
