// A batch has the checks of `a2a create`, whichever command sends it.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'

let home: Home
let service: Service
let folder: string
beforeEach(async () => {
  // The sandbox knows no other spelling.
  service = await openService(({method, url}) =>
    method === 'POST' && url !== '/v1/a2a/batches'
      ? reply(200, {id: '88009', status: 'COMPLETED'})
      : undefined,
  )
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'batch-'))
})
afterEach(async () => {
  await Promise.all([service.close(), home.remove(), rm(folder, {recursive: true, force: true})])
})

const posts = () => service.requests.filter(({method}) => method === 'POST').length

type Way = (body: object, flags: string, kind: string) => Promise<{code: number; stderr: string}>

const byApi =
  (path: string): Way =>
  (body, flags, kind) =>
    home.run(['api', 'POST', path, '--data', '-', ...flags.split(' '), '-p', kind], {
      stdin: JSON.stringify(body),
    })

const byImported: Way = async (body, flags, kind) => {
  const file = join(folder, 'own.json')
  const requestBody = {content: {'application/json': {schema: {type: 'object'}}}}
  const post = {operationId: 'go', tags: ['own'], requestBody, responses: {200: {description: 'Done'}}}
  const paths = {'/v1/A2A/batches': {post}}
  await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths}))
  await home.run(['contract', 'import', file, '--name', 'own', '-p', kind])
  return home.run(['x', 'own', 'go', '--data', '-', ...flags.split(' '), '-p', kind], {
    stdin: JSON.stringify(body),
  })
}

const WAYS: readonly (readonly [name: string, kind: string, way: Way])[] = [
  [
    'a2a create',
    'live',
    (body, flags) =>
      home.run(['a2a', 'create', '--data', '-', '--no-reference', ...flags.split(' '), '-p', 'live'], {
        stdin: JSON.stringify(body),
      }),
  ],
  ['api', 'live', byApi('/v1/a2a/batches')],
  ['api, percent-encoded', 'live', byApi('/v1/%61%32a/batches')],
  ['api', 'test', byApi('/v1/a2a/batches')],
  ['api in capitals', 'test', byApi('/V1/A2A/BATCHES')],
  ['x', 'test', byImported],
]

const row = (amount: number, text: string, to = '2007') => ({
  ...{fromAccountId: '2006', toAccountId: to, currency: 'EUR'},
  amount,
  text,
})
/** Other ways to write a part of one transfer. */
const RESPELLED = [
  {amount: '7'},
  {amount: '7.00'},
  {amount: '07.0'},
  {fromAccountId: 2006},
  {fromAccountId: '02006'},
  {fromAccountId: ' 2006'},
  {toAccountId: '2007 '},
  {text: ' D\u00e9p\u00f4t '},
  {text: 'De\u0301po\u0302t'},
]
const TWO = {transfers: [row(5, 'Rent'), row(7, 'Power')]}
const SAME = {transfers: [row(5, 'Rent'), row(5, 'Rent')]}

/** What is refused, by which exit code, and with which words. */
const REFUSED: readonly (readonly [
  name: string,
  body: object,
  flags: string,
  code: number,
  words: RegExp,
])[] = [
  ['another count', TWO, '--yes --confirm-count 3', 2, /There are 2 transfers, not 3/],
  ['another total', TWO, '--yes --confirm-total EUR:13', 2, /The total is EUR 12\.00, not 13/],
  ['rows that repeat', SAME, '--yes', 2, /Rows 1 and 2 are the same/],
  [
    'rows that repeat, with count and total',
    SAME,
    '--confirm-count 2 --confirm-total EUR:10',
    2,
    /--same-rows 1/,
  ],
  [
    'a transfer to itself',
    {transfers: [row(5, 'Rent', '2006')]},
    '--yes',
    2,
    /account that the transfer comes from/,
  ],
  [
    'a transfer to itself, unchecked',
    {transfers: [{...row(5, 'Rent'), toAccountId: ' 2006'}]},
    '--yes --no-check-input',
    2,
    /account that the transfer comes from/,
  ],
  ...[
    {...TWO, Transfers: []},
    {...TWO, 'tran\u017fferS': []},
    {...TWO, Description: 'ref'},
    {transfers: [row(5, 'Rent'), {...row(7, 'Power'), Amount: 500}]},
    {transfers: [{...row(5, 'Rent'), FromAccountId: '2008'}]},
  ].map(
    body =>
      [
        `a field in other capitals, unchecked: ${JSON.stringify(body)}`,
        body,
        '--yes --no-check-input',
        2,
        / is no field, but a service may read it as one/,
      ] as const,
  ),
  [
    'a total of which a negative amount takes some off, unchecked',
    {transfers: [row(-60, 'Back'), row(65, 'Rent')]},
    '--confirm-count 2 --confirm-total EUR:5 --no-check-input',
    2,
    /The total is EUR 125\.00, not 5/,
  ],
  [
    'a negative amount above the ceiling, unchecked',
    {transfers: [row(-101, 'Rent')]},
    '--yes --no-check-input',
    3,
    /above the ceiling/,
  ],
  ['an amount above the ceiling', {transfers: [row(101, 'Rent')]}, '--yes', 3, /above the ceiling/],
  ['no transfers, unchecked', {transferz: []}, '--yes --no-check-input', 2, /There are no transfers/],
  [
    'transfers that are no objects, unchecked',
    {transfers: [null]},
    '--yes --no-check-input',
    2,
    /There are no transfers/,
  ],
]

describe.each(WAYS)('by %s on a %s profile', (name, kind, send) => {
  beforeEach(() =>
    home.json([
      ...['profiles', 'add', kind, '--kind', kind, '--base-url', service.url],
      ...['--profile-audit-user', 'aino', '--ceiling', 'EUR:100'],
    ]),
  )

  it.each(
    part(
      REFUSED,
      2,
      WAYS.findIndex(way => way[0] === name),
    ),
  )('refuses %s', async (_name, body, flags, code, words) => {
    const {code: found, stderr} = await send(body, flags, kind)
    expect({found, stderr: stderr.replaceAll(/\s+/g, ' '), sent: posts()}).toEqual({
      found: code,
      stderr: expect.stringMatching(words),
      sent: 0,
    })
  })

  it('is asked about, on live by count and total', async () => {
    const {code, stderr} = await send(TWO, kind === 'live' ? '--yes' : '--retries 0', kind)
    expect({code, stderr, sent: posts()}).toEqual({
      code: 2,
      stderr: expect.stringContaining(kind === 'live' ? '--confirm-count' : '--yes'),
      sent: 0,
    })
  })

  it('goes out once the checks are answered, and once more only with --again', async () => {
    const agreed = '--confirm-count 2 --confirm-total EUR:10 --same-rows 1'
    expect(await send(SAME, agreed, kind)).toMatchObject({code: 0})
    expect(await send(SAME, agreed, kind)).toMatchObject({code: 14})
    expect(posts()).toBe(1)
    expect(await send(SAME, `${agreed} --again`, kind)).toMatchObject({code: 0})
    expect(posts()).toBe(2)
  })

  it('finds a transfer however it is written', async () => {
    const flags = '--confirm-count 1 --confirm-total EUR:7 --no-check-input'
    expect(await send({transfers: [row(7, 'D\u00e9p\u00f4t')]}, flags, kind)).toMatchObject({code: 0})
    const codes = await Promise.all(
      RESPELLED.map(async more => {
        const {code} = await send({transfers: [{...row(7, 'D\u00e9p\u00f4t'), ...more}]}, flags, kind)
        return {...more, code}
      }),
    )
    expect(codes).toEqual(RESPELLED.map(more => ({...more, code: 14})))
    const both = RESPELLED.map(more => ({...row(7, 'Other'), ...more, text: 'Other'}))
    const {code, stderr} = await send({transfers: both}, '--yes --no-check-input', kind)
    expect({code, stderr}).toEqual({
      code: 2,
      stderr: expect.stringContaining(`--same-rows ${RESPELLED.length - 1}`),
    })
    expect(posts()).toBe(1)
  })

  it('needs a second person by what moves, not by what is left of it', async () => {
    await home.json(['profiles', 'edit', kind, '--second-person-for', 'EUR:10', '--proposals', folder])
    const body = {transfers: [row(-60, 'Back'), row(65, 'Rent')]}
    const flags = '--confirm-count 2 --confirm-total EUR:125 --no-check-input'
    const {code, stderr} = await send(body, flags, kind)
    expect({code, stderr, sent: posts()}).toEqual({
      code: 3,
      stderr: expect.stringContaining('EUR 125.00 is more than 10'),
      sent: 0,
    })
  })
})
