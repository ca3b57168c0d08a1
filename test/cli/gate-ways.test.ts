import {chmod, chown, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {findOperation} from '../../src/contract/match.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'

/** What the gate of a live profile demands, whichever command makes the request. */
interface Rule {
  readonly name: string
  readonly profile: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Flags that agree to it where the profile has no further rule. */
  readonly agreed: string
  /** What the profile does not let through, whatever is agreed to. */
  readonly isBarred?: true
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
  {
    name: 'PUT of what PATCH sets is judged alike, and its path is named too',
    profile: 'prod',
    method: 'PUT',
    path: '/v4/CREDIT/2001',
    body: {status: 'ACCOUNT_COLLECTION'},
    agreed: '--confirm ACCOUNT_COLLECTION --confirm 2001 --confirm /v4/CREDIT/2001',
  },
  {
    name: 'nothing is written',
    profile: 'ro',
    method: 'PATCH',
    path: '/v4/DEBIT/2002',
    body: {name: 'A'},
    agreed: '--confirm 2002 --yes',
    isBarred: true,
  },
  {
    name: 'no secret is disclosed',
    profile: 'ro',
    method: 'POST',
    path: '/v4/card/3001/controlToken',
    agreed: '--confirm 3001',
    isBarred: true,
  },
  {
    name: 'what cannot be undone needs a second person',
    profile: 'pair',
    method: 'PATCH',
    path: '/v4/DEBIT/2002',
    body: CLOSES,
    agreed: '--confirm ACCOUNT_TO_CLOSE --confirm 2002',
    isBarred: true,
  },
  {
    name: 'what is deleted needs a second person',
    profile: 'pair',
    method: 'DELETE',
    path: '/v1/pricelist/period/6003',
    agreed: '--confirm 6003',
    isBarred: true,
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
    agreed: '--confirm-count 1 --confirm-total EUR:6 --no-service-check',
    isBarred: true,
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
  'in full-width letters': path =>
    path.replace(/[a-zA-Z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  'with signs that nobody sees': path => path.replace(/(?<=[a-zA-Z])(?=[a-zA-Z])/g, '\u200b'),
}

let home: Home
let service: Service
let folder: string
let proposals: string
let sent: string[] = []
let isFailing = false
let documents = 0

beforeAll(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'gate-'))
  service = await openService(({method, url}) => {
    sent.push(`${method} ${url}`)
    if (isFailing) return reply(501, {title: 'Not implemented', status: 501})
    return reply(200, {id: /\d+/.exec(url.replace(/v\d/, ''))?.[0] ?? '1', status: 'OK', description: ''})
  })
  proposals = join(folder, 'proposals')
  await mkdir(proposals)
  await chmod(proposals, 0o1770)
  await writeFile(join(proposals, 'members'), `${process.getuid?.()}\n${COLLEAGUE}\n`, {mode: 0o644})
  for (const name of Object.keys(SETTINGS))
    await add(name, ...(SETTINGS[name] ?? []), '--proposals', proposals)
})
afterAll(async () => {
  await service.close()
  await home.remove()
  await rm(folder, {recursive: true, force: true})
})

const add = (name: string, ...flags: string[]) =>
  home.json([
    ...['profiles', 'add', name, '--kind', 'live', '--base-url', service.url],
    ...['--profile-audit-user', 'aino', '--auth', 'none', ...flags],
  ])

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  prod: [],
  /** Without an imported contract. */
  plain: [],
  ro: ['--read-only'],
  pair: ['irreversible', 'destroyed', 'EUR:5'].flatMap(rule => ['--second-person-for', rule]),
}

/** The user id of a person who proposes. Only root can give files away. */
const COLLEAGUE = 65_104
const isRoot = process.getuid?.() === 0

type Way = (rule: Rule, path: string, flags: string) => Promise<{code: number; stderr: string}>

const words = (text: string): string[] => (text === '' ? [] : text.split(' '))

const byApi: Way = ({method, body, profile}, path, flags) =>
  home.run(
    ['api', method, path, ...(body === undefined ? [] : ['--data', '-']), ...words(flags), '-p', profile],
    body === undefined ? {} : {stdin: JSON.stringify(body)},
  )

const GO = {operationId: 'go', tags: ['own'], responses: {200: {description: 'Done'}}}

const importOwn = async (profile: string, paths: object, effects?: string): Promise<string> => {
  const name = `own-${++documents}`
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths}))
  const chosen = join(folder, `${name}.effects.yaml`)
  if (effects !== undefined) await writeFile(chosen, effects)
  const more = effects === undefined ? [] : ['--effects', chosen]
  const imported = await home.run(['contract', 'import', file, '--name', name, ...more, '-p', profile])
  expect(imported).toMatchObject({code: 0})
  return name
}

/** The names of what was imported: with each set of flags the same document is used. */
const own = new Map<string, string>()

const runOwn = async (
  {method, profile}: Pick<Rule, 'method' | 'profile'>,
  path: string,
  described: object,
  argv: readonly string[],
  stdin?: string,
) => {
  const paths = {[path]: {[method.toLowerCase()]: {...GO, ...described}}}
  const key = JSON.stringify([profile, paths])
  const name = own.get(key) ?? (await importOwn(profile, paths))
  own.set(key, name)
  const command = ['x', 'own', 'go', '--contract', name, ...argv, '-p', profile]
  return home.run(command, stdin === undefined ? {} : {stdin})
}

const withBody = (mediaType: string) => ({
  requestBody: {content: {[mediaType]: {schema: {type: mediaType.includes('json') ? 'object' : 'string'}}}},
})

const byImported: Way = ({body, ...rule}, path, flags) =>
  body === undefined
    ? runOwn(rule, path, {}, words(flags))
    : runOwn(rule, path, withBody('application/json'), ['--data', '-', ...words(flags)], JSON.stringify(body))

/** The same bytes, which the document calls something else than JSON. */
const byRawBody: Way = async ({body, ...rule}, path, flags) => {
  const file = join(folder, 'body')
  await writeFile(file, JSON.stringify(body ?? {}))
  return runOwn(rule, path, withBody('text/plain'), ['--data', `@${file}`, ...words(flags)])
}

/** The fields of the body as parameters of the query. */
const byQuery: Way = ({body, ...rule}, path, flags) => {
  const fields = Object.entries(body ?? {}).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  )
  const parameters = fields.map(([name]) => ({name, in: 'query', schema: {type: 'string'}}))
  const given = fields.map(
    ([name, value]) => `--${name.replace(/[A-Z]+/g, letter => `-${letter.toLowerCase()}`)}=${value}`,
  )
  return runOwn(rule, path, {parameters}, [...given, ...words(flags)])
}

/** Rows have the values of a path, not the path: one that is spelled with other segments is no row. */
const byBulk: Way = async ({method, path: plain, body, profile}, path, flags) => {
  const operation = findOperation(method === 'PUT' ? 'PATCH' : method, plain)?.operation
  const template = operation?.path.split('/') ?? []
  const segments = path.split('/')
  const params = template.flatMap((name, at) =>
    name.startsWith('{') ? [[name.slice(1, -1), segments[at] ?? '']] : [],
  )
  const row = JSON.stringify({...Object.fromEntries(params), ...body})
  const argv = ['bulk', 'run', operation?.id ?? '', '--from', '-']
  // A job always checks its rows.
  const given = words(flags).filter(flag => flag !== '--no-check-input')
  return home.run([...argv, ...given, '-p', profile], {stdin: `${row}\n`})
}

/** As a colleague has proposed it. */
const byApproval: Way = async (rule, path, flags) => {
  const made = await byApi(rule, path, '--propose --audit-user bo')
  const [, id] = /requests approve (p_\w+)/.exec(made.stderr) ?? []
  if (id === undefined) return made
  await chown(join(proposals, `${id}.json`), COLLEAGUE, process.getgid?.() ?? 0)
  return home.run(['requests', 'approve', id, ...words(flags), '-p', rule.profile])
}

const WAYS: Readonly<Record<string, Way>> = {
  api: byApi,
  x: byImported,
  'x with a raw body': byRawBody,
  'x with a query': byQuery,
  'bulk run': byBulk,
  'requests approve': byApproval,
}

/** Names of the refusals: of the gate, of what is no request of the contract, and of what no job or proposal may hold. */
const REFUSED =
  /CONFIRMATION_REQUIRED|SENSITIVE_IN_ARGV|GATE_REFUSED|CONTRACT_VIOLATION|INPUT_INVALID|Nothing was kept or sent|unexpected argument|NONEXISTENT/i

describe.each(RULES)('on a live profile: $name', rule => {
  describe.each(Object.entries(WAYS))('by %s', (way, send) => {
    const given = it.skipIf(send === byApproval && !isRoot)
    given.each(part(Object.entries(SPELLINGS), 6, RULES.indexOf(rule) + Object.keys(WAYS).indexOf(way)))(
      '%s',
      async (_name, spell) => {
        const path = spell(rule.path)
        for (const flags of ['--yes', '--yes --no-check-input']) {
          sent = []
          const {code, stderr} = await send(rule, path, flags)
          // An approver is shown what is there now.
          const writes = sent.filter(one => send !== byApproval || !one.startsWith('GET '))
          expect({code, sent: writes, stderr}).toEqual({
            code: expect.toSatisfy((one: number) => one === 2 || one === 3),
            sent: [],
            // What cannot be a request of the contract is refused as such, unless it is sent unchecked.
            stderr: expect.stringMatching(REFUSED),
          })
        }
      },
    )
  })

  it.runIf(rule.isBarred === undefined)('goes out by api once it is agreed to', async () => {
    sent = []
    const {code, stderr} = await byApi({...rule, profile: 'plain'}, rule.path, rule.agreed)
    expect({code, sent, stderr}).toEqual({code: 0, sent: [expect.stringContaining(rule.path)], stderr})
  })

  it('by requests retry, whatever was agreed to before', async () => {
    const profile = `later-${RULES.indexOf(rule)}`
    await add(profile)
    isFailing = true
    await byApi({...rule, profile}, rule.path, rule.agreed)
    isFailing = false
    expect(sent.at(-1)).toContain(rule.path)
    const settings = [...(SETTINGS[rule.profile] ?? []), '--proposals', proposals]
    await home.json(['profiles', 'edit', profile, ...settings])
    sent = []
    const {code} = await home.run(['requests', 'retry', 'last', '--yes', '-p', profile])
    expect({code, sent}).toEqual({code: expect.toSatisfy((one: number) => one === 2 || one === 3), sent: []})
  })
})

const ID = {name: 'id', in: 'path', required: true, schema: {type: 'string'}}

describe('--confirm with the path that no contract describes', () => {
  it.each(['live', 'test'])('answers the question on a %s profile, and another path does not', async kind => {
    const other = await openService(() => reply(200, {}))
    const profile = `paths-${kind}`
    const argv = ['profiles', 'add', profile, '--kind', kind, '--base-url', other.url, '--auth', 'none']
    await home.json([...argv, '--profile-audit-user', 'aino'])
    const send = (...words: string[]) => home.run(['api', ...words, '-p', profile])
    expect(await send('DELETE', '/v9/things/7', '--confirm', '/v9/things/8')).toMatchObject({code: 2})
    expect(await send('DELETE', '/v9/things/7')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(kind === 'live' ? '--confirm /v9/things/7' : '--yes'),
    })
    expect(other.requests).toEqual([])
    expect(await send('DELETE', '/v9/things/7', '--confirm', '/v9/things/7')).toMatchObject({code: 0})
    expect(await send('POST', '/v9/things', '--confirm', '/v9/things')).toMatchObject({code: 0})
    const close = ['PUT', '/v4/DEBIT/2002', '-F', 'status=ACCOUNT_TO_CLOSE', '--confirm', '/v4/DEBIT/2002']
    expect(await send(...close)).toMatchObject({code: 2})
    const named = ['--confirm', 'ACCOUNT_TO_CLOSE', '--confirm', '2002']
    expect(await send(...close, ...named)).toMatchObject({code: 0})
    expect(other.requests).toHaveLength(3)
    await other.close()
  })
})

describe('what the gate cannot read is refused whatever is agreed to', () => {
  const agreed = words('--confirm ACCOUNT_TO_CLOSE --confirm 2001 --confirm trial --yes --no-check-input')
  let trial: Service
  beforeAll(async () => {
    trial = await openService(({method, url}) => {
      sent.push(`${method} ${url}`)
      return reply(200, {id: '2001'})
    })
    await home.json([
      ...['profiles', 'add', 'trial', '--kind', 'test', '--base-url', trial.url, '--auth', 'none'],
      ...['--profile-audit-user', 'aino'],
    ])
  })
  afterAll(() => trial.close())
  const refused = async (run: Promise<{code: number; stderr: string}>) => {
    sent = []
    const {code, stderr} = await run
    expect({code, sent, stderr}).toEqual({code: 3, sent: [], stderr: expect.stringContaining('This may be')})
  }
  const bodies = [CLOSES, {creditLimit: 5_000_000}, {auditUser: 'root'}, {name: 'A'}]

  describe.each(['prod', 'trial'])('on the profile %s', profile => {
    const rule = {method: 'PATCH', path: '/v4/CREDIT/2001', profile} as const

    it.each(['text/plain', 'application/xml', 'application/octet-stream'])('%s', async mediaType => {
      for (const method of ['PATCH', 'PUT'] as const) {
        for (const body of bodies) {
          const file = join(folder, 'opaque')
          await writeFile(file, JSON.stringify(body))
          const argv = ['--data', `@${file}`, ...agreed]
          await refused(runOwn({...rule, method}, rule.path, withBody(mediaType), argv))
        }
      }
    })

    it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])('%s', async mediaType => {
      const file = join(folder, 'opaque')
      await writeFile(file, JSON.stringify(CLOSES))
      for (const field of ['name=A', ...(mediaType.startsWith('multi') ? [`name=@${file}`] : [])]) {
        const described = {requestBody: {content: {[mediaType]: {schema: {type: 'object'}}}}}
        await refused(runOwn(rule, rule.path, described, ['-F', field, ...agreed]))
      }
    })

    it.each(['[{"status":"ACCOUNT_TO_CLOSE"}]', '"ACCOUNT_TO_CLOSE"'])('JSON that is %s', async body => {
      await refused(home.run(['api', 'PATCH', rule.path, '--data', body, ...agreed, '-p', profile]))
    })

    it.each([
      'status',
      'STATUS',
      'creditLimit',
      'credit_limit',
      'status[0]',
      'x[status]',
      'stat%2575s',
      'ｓtatus',
    ])('the field %s in the query', async name => {
      await refused(
        home.run([
          'api',
          'PATCH',
          `${rule.path}?${name}=ACCOUNT_TO_CLOSE`,
          '-F',
          'name=A',
          ...agreed,
          '-p',
          profile,
        ]),
      )
      // An object of the query is written as its members.
      const parameters = [{name: 'filter', in: 'query', schema: {type: 'object'}}]
      const field = `--filter=${JSON.stringify({[name]: 'ACCOUNT_TO_CLOSE'})}`
      await refused(runOwn(rule, rule.path, {parameters}, [field, ...agreed]))
    })
  })

  it('and a query that no body has goes out', async () => {
    sent = []
    const argv = ['api', 'PATCH', '/v4/CREDIT/2001?dryRun=1', '-F', 'name=A', ...agreed, '-p', 'trial']
    expect(await home.run(argv)).toMatchObject({code: 0})
    expect(sent).toHaveLength(1)
  })
})

describe('an effect that a user chose for an operation of an imported contract', () => {
  it('does not pass the gate of a live profile before a person has agreed to it, and is recorded after', async () => {
    const name = await importOwn('prod', {'/search': {post: GO}}, 'go: read\n')
    const argv = ['x', 'own', 'go', '--contract', name, '-p', 'prod']
    sent = []
    expect(await home.run(argv)).toMatchObject({code: 2, stderr: expect.stringContaining('--yes')})
    expect(sent).toEqual([])
    expect(await home.run(argv, {typed: [['Type prod to confirm:', 'prod']]})).toMatchObject({code: 0})
    expect(sent).toHaveLength(1)
    // Without a question from now on, but never without a record.
    expect(await home.run(argv)).toMatchObject({code: 0})
    const trail = await home.json<{operation: string}[]>(['audit', 'list'])
    expect(trail.filter(({operation}) => operation === `x:${name}/own/go`)).toMatchObject([
      {kind: 'write'},
      {kind: 'write'},
      {kind: 'label', auditUser: 'aino'},
    ])
  })

  it('never counts for a path of the built-in contract', async () => {
    const name = await importOwn('prod', {'/v4/DEBIT/{id}': {patch: {...GO, parameters: [ID]}}}, 'go: read\n')
    sent = []
    const {code} = await home.run(['x', 'own', 'go', '2002', '--contract', name, '-p', 'prod'])
    expect({code, sent}).toEqual({code: 2, sent: []})
  })

  it('applies to api where it demands more', async () => {
    await importOwn('ro', {'/showpan/{id}': {get: {...GO, parameters: [ID]}}}, 'go: disclose\n')
    sent = []
    expect(await home.run(['api', 'GET', '/showpan/7', '-p', 'ro'])).toMatchObject({code: 3})
    expect(sent).toEqual([])
  })
})

describe('what cardctl sets itself', () => {
  it.each([
    ['api', 'PATCH', '/v4/CREDIT/2001?auditUser=root', '-F', 'creditLimit=5'],
    ['api', 'PATCH', '/v4/CREDIT/2001?AUDIT%55ser=root', '-F', 'creditLimit=5'],
    ['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=5', '-F', 'auditUser=root', '--no-check-input'],
    ['api', 'GET', '/v4/3001?auditUser=root'],
    ['api', 'POST', '/v4/3001', '-H', 'x-http-method-override: DELETE', '--confirm', '/v4/3001'],
    ['api', 'POST', '/v4/3001?_method=DELETE', '--confirm', '/v4/3001'],
  ])('%s %s %s %s %s is refused', async (...argv) => {
    sent = []
    const {code} = await home.run([...argv, '--yes', '-p', 'prod'])
    expect({code, sent}).toEqual({code: 2, sent: []})
  })

  const NAMES: Readonly<Record<string, readonly string[]>> = {
    '--audit-user': [
      'auditUser',
      'audit_user',
      'audit-user',
      'AUDITUSER ',
      'auditUser\u200b',
      'auditUser[]',
      'auditUser[0]',
      'x[auditUser]',
      'x.auditUser',
      '\uff41uditUser',
      'audit%2555ser',
      'X-Audit-User',
    ],
    '--idempotency-key': ['idempotencyKey', 'Idempotency_Key', 'x-idempotency-key', 'IdempotencyKey[0]'],
  }
  const named = Object.entries(NAMES).flatMap(([flag, names]) => names.map(name => [name, flag] as const))

  it.each(named)(
    '%j is refused in a query, a body and another document, and %s is named',
    async (name, flag) => {
      const path = '/v4/CREDIT/2001'
      const flags = ['--no-check-input', '--confirm', '2001', '--yes']
      const api = (...argv: string[]) => home.run(['api', 'PATCH', ...argv, ...flags, '-p', 'prod'])
      const rule = {method: 'PATCH', profile: 'prod'} as const
      for (const run of [
        () => api(`${path}?${encodeURIComponent(name)}=root`, '-F', 'name=A'),
        () => api(`${path}?${encodeURIComponent(encodeURIComponent(name))}=root`, '-F', 'name=A'),
        () => api(path, '--data', JSON.stringify({[name]: 'root'})),
        () => api(path, '--data', JSON.stringify({name: 'A', x: [{y: {[name]: 'root'}}]})),
        () =>
          runOwn(
            rule,
            path,
            withBody('application/json'),
            ['--data', '-', ...flags],
            JSON.stringify({[name]: 'root'}),
          ),
      ]) {
        sent = []
        const {code, stderr} = await run()
        expect({code, sent, stderr}).toEqual({code: 2, sent: [], stderr: expect.stringContaining(flag)})
      }
    },
  )

  it('is refused in rows of a bulk job', async () => {
    sent = []
    const {code, stderr} = await home.run(
      ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '-p', 'prod'],
      {stdin: 'id,creditLimit,auditUser\n2001,5,root\n'},
    )
    expect({code, sent, stderr}).toEqual({code: 2, sent: [], stderr: expect.stringContaining('--audit-user')})
  })
})

describe('a value that a lenient service may take for one that cannot be undone', () => {
  it.each([
    ' account_to_close',
    'ACCOUNT TO CLOSE',
    'account-to-close',
    '\uff21CCOUNT_TO_CLOSE',
    'ACCOUNT\u200b_TO_CLOSE',
    ['ACCOUNT_BLOCKED', 'ACCOUNT_TO_CLOSE'],
    {value: 'ACCOUNT_TO_CLOSE'},
    {},
    7,
    '7',
    true,
  ])('%j is named, by api', async status => {
    for (const [method, ...more] of [['PATCH'], ['PUT', '--confirm', '/v4/DEBIT/2002']]) {
      sent = []
      const argv = ['api', method ?? '', '/v4/DEBIT/2002', '--data', JSON.stringify({status}), ...more]
      const flags = ['--no-check-input', '--confirm', '2002', '--yes', '-p', 'prod']
      const {code, stderr} = await home.run([...argv, ...flags])
      expect({code, sent, stderr}).toEqual({
        code: 2,
        sent: [],
        stderr: expect.stringContaining('--confirm ACCOUNT_TO_CLOSE'),
      })
    }
  })

  it.each([
    'STATUS',
    'status ',
    'status\u0000',
    'st\u200batus',
    '\uff53tatus',
    'status[]',
    'x.status',
    'stat%75s',
  ])('is one under the name %j too, and in another member', async name => {
    for (const body of [{[name]: 'account-to-close\u200b'}, {x: [{[name]: 'ACCOUNT_TO_CLOSE'}]}]) {
      sent = []
      const argv = ['api', 'PATCH', '/v4/DEBIT/2002', '--data', JSON.stringify(body), '--no-check-input']
      const {code, stderr} = await home.run([...argv, '--confirm', '2002', '--yes', '-p', 'prod'])
      expect({code, sent, stderr}).toEqual({
        code: 2,
        sent: [],
        stderr: expect.stringContaining('--confirm ACCOUNT_TO_CLOSE'),
      })
    }
  })

  it.each(['transfers ', 'transfers\u200b', '\uff54ransfers', 'transfers[]', 'Transfers'])(
    'is no batch of transfers under the name %j',
    async name => {
      const transfers = [{fromAccountId: '2006', toAccountId: '2007', amount: 6, currency: 'EUR', text: 'R'}]
      const body = JSON.stringify({description: 'Rent', transfers: [], [name]: transfers})
      const argv = ['api', 'POST', '/v1/a2a/batches', '--data', body, '--no-check-input', '--yes']
      sent = []
      const {code} = await home.run([...argv, '--confirm-count', '0', '--no-service-check', '-p', 'prod'])
      expect({code, sent}).toEqual({code: 2, sent: []})
    },
  )

  it('is none where it is another value', async () => {
    sent = []
    for (const status of ['ACCOUNT_BLOCKED', 'NEW_STATUS', null]) {
      const argv = ['api', 'PATCH', '/v4/DEBIT/2002', '--data', JSON.stringify({status}), '--no-check-input']
      expect(await home.run([...argv, '--yes', '-p', 'prod'])).toMatchObject({code: 0})
    }
    expect(sent).toHaveLength(3)
  })
})

describe('a segment that is another operation', () => {
  it.each(['CREDIT', 'credit', ' CREDIT', 'CREDIT\t', '\uff23REDIT', 'C\u200bREDIT'])(
    '%s has its checks',
    async segment => {
      sent = []
      const {code} = await home.run([
        ...['accounts', 'patch', '2001', '--type', 'multicurrency', '--segment', segment],
        ...['--status', 'ACCOUNT_COLLECTION', '--yes', '--no-check-input', '-p', 'prod'],
      ])
      expect({code, sent}).toEqual({code: 2, sent: []})
    },
  )

  it('is refused in rows of a bulk job', async () => {
    sent = []
    const {code} = await home.run(
      ['bulk', 'run', 'accounts.patchMulticurrency.v4', '--from', '-', '--yes', '-p', 'prod'],
      {stdin: 'multiCurr,id,creditLimit\nCREDIT,2001,5\n'},
    )
    expect({code, sent}).toEqual({code: 2, sent: []})
  })
})

describe('a retry', () => {
  it('goes by the rules of now, also for what failed before there were any', async () => {
    const failing = await openService(() => reply(501, {title: 'Not implemented', status: 501}))
    const add = ['profiles', 'add', 'later', '--kind', 'test', '--base-url', failing.url, '--auth', 'none']
    await home.json([...add, '--profile-audit-user', 'aino'])
    const close = ['accounts', 'close', '2002', '--type', 'debit', '--confirm', 'ACCOUNT_TO_CLOSE', '--yes']
    expect((await home.run([...close, '-p', 'later'])).code).toBe(8)
    const flags = ['--second-person-for', 'irreversible', '--proposals', folder]
    await home.json(['profiles', 'edit', 'later', ...flags])
    const before = failing.requests.length
    const retry = ['requests', 'retry', 'last', '--confirm', 'ACCOUNT_TO_CLOSE', '--yes', '-p', 'later']
    expect(await home.run(retry)).toMatchObject({code: 3, stderr: expect.stringContaining('second person')})
    expect(failing.requests).toHaveLength(before)
    await failing.close()
  })
})

describe('what the refusal asks for is a flag of the command', () => {
  it('of x, for a deletion that its document calls a read', async () => {
    const paths = {'/inv/{id}': {delete: {...GO, parameters: [ID]}}}
    const name = await importOwn('prod', paths, 'go: read\n')
    sent = []
    const argv = ['x', 'own', 'go', '17', '--contract', name, '-p', 'prod']
    const {code, stderr} = await home.run(argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--confirm 17')])
    expect(await home.run([...argv, '--confirm', '17'])).toMatchObject({code: 0})
    expect(sent).toEqual(['DELETE /inv/17'])
  })

  it('of requests resolve, for a value that cannot be undone', async () => {
    let isLost = true
    const service = await openService(() =>
      isLost
        ? {status: 200, headers: {}, body: Buffer.alloc(0), drop: true}
        : reply(200, {id: '2002', status: 'ACCOUNT_TO_CLOSE'}),
    )
    const flags = ['--kind', 'live', '--base-url', service.url, '--auth', 'none']
    await home.json(['profiles', 'add', 'lost', ...flags, '--profile-audit-user', 'aino'])
    const close = ['accounts', 'patch', '2002', '--type', 'debit', '--status', 'ACCOUNT_TO_CLOSE']
    const confirmed = ['--confirm', 'ACCOUNT_TO_CLOSE', '--confirm', '2002', '-p', 'lost']
    expect(await home.run([...close, ...confirmed, '--yes'])).toMatchObject({code: 10})
    isLost = false
    const before = service.requests.length
    const resolve = ['requests', 'resolve', 'last', '--yes']
    const {code, stderr} = await home.run([...resolve, '-p', 'lost'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--confirm ACCOUNT_TO_CLOSE')])
    expect(service.requests).toHaveLength(before)
    expect(await home.run([...resolve, ...confirmed])).toMatchObject({code: 0})
    expect(service.requests).toHaveLength(before + 1)
    await service.close()
  })
})

it('transfers do not pass their checks by an imported contract', async () => {
  const requestBody = {content: {'application/json': {schema: {type: 'object'}}}}
  for (const path of ['/v1/a2a/batches', '/transfer/v1/A2A/batches']) {
    const name = await importOwn('prod', {[path]: {post: {...GO, requestBody}}})
    sent = []
    const body = '{"transfers":[{"fromAccountId":"2006","toAccountId":"2007","amount":5,"currency":"EUR"}]}'
    const argv = ['x', 'own', 'go', '--contract', name, '--data', '-', '--yes', '-p', 'prod']
    expect(await home.run(argv, {stdin: body})).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a2a create'),
    })
    expect(sent).toEqual([])
  }
})
