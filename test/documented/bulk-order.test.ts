import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

type Answer = NonNullable<Parameters<typeof newService>[0]>

const notFound = reply(404, {title: 'Not Found', status: 404}, {'content-type': 'application/problem+json'})

interface Row {
  readonly row: number
  readonly state: string
  readonly code?: string
  readonly message?: string
  readonly request?: string
}

async function scene(answer?: Answer) {
  const home = await newHome()
  const service = await newService(answer)
  await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
  const run = (argv: readonly string[], stdin?: string) =>
    home.run([...argv, '-p', 'staging', '-o', 'json', '--quiet'], stdin === undefined ? {} : {stdin})
  const bulk = (operation: string, rows: string, ...more: string[]) =>
    run(['bulk', 'run', operation, '--from', '-', '--rate', 'off', ...more], rows)
  const job = async () => (await home.json<{job: string}[]>(['bulk', 'list', '-p', 'staging']))[0]?.job ?? ''
  const rows = async () => home.json<Row[]>(['bulk', 'results', await job(), '-p', 'staging'])
  return {home, service, run, bulk, job, rows}
}

/** What was sent to which path, in the order in which it came. */
const valuesOf = (requests: readonly {method: string; url: string; body: Uint8Array}[]) =>
  requests
    .filter(({method}) => method === 'PATCH')
    .map(
      ({url, body}) => `${url.split('?')[0]?.split('/').at(-1)} ${Object.values(JSON.parse(String(body)))}`,
    )

/** Nobody goes on before so many have come. */
function gathering(count: number): () => Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>()
  let come = 0
  return () => {
    if (++come === count) resolve()
    return promise
  }
}

test('a row waits until the row before it of the same account is done', async () => {
  const allThree = gathering(3)
  const seen = new Set<string>()
  let [underWay, most] = [0, 0]
  const {service, bulk} = await scene(async ({url}) => {
    const id = url.split('?')[0]?.split('/').at(-1) ?? ''
    if (id === '2002') most = Math.max(most, ++underWay)
    // Rows of different accounts leave side by side: the first ones wait for each other here.
    if (!seen.has(id)) {
      seen.add(id)
      await allThree()
    }
    await new Promise(resolve => setTimeout(resolve, 20))
    if (id === '2002') underWay--
    return reply(200, {description: 'Account updated', id})
  })
  const rows = ['2002,a', '2006,x', '2002,b', '2007,y', '2002,c', '2002,d']
  expect((await bulk('accounts.patchDebit.v4', `id,name\n${rows.join('\n')}\n`)).code).toBe(0)
  const own = valuesOf(service.requests).filter(text => text.startsWith('2002'))
  expect(own).toEqual(['2002 a', '2002 b', '2002 c', '2002 d'])
  expect(most).toBe(1)
})

test('--unordered sends rows of one account side by side', async () => {
  const all = gathering(4)
  const {service, bulk} = await scene(async () => {
    await all()
    return reply(200, {description: 'Account updated', id: '2002'})
  })
  const rows = ['2002,a', '2002,b', '2002,c', '2002,d']
  const text = `id,name\n${rows.join('\n')}\n`
  expect((await bulk('accounts.patchDebit.v4', text, '--unordered')).code).toBe(0)
  expect(writesOf(service)).toHaveLength(4)
})

test('a row behind a failed one of its resource is held, and says which', async () => {
  let closed = true
  const {home, service, run, bulk, job, rows} = await scene(({url}) =>
    url.includes('2006') && closed ? notFound : undefined,
  )
  const failedRows = join(home.folder, 'failed.csv')
  const text = 'id,name\n2002,a\n2006,b\n2002,c\n2006,d\n2006,e\n2007,f\n'
  const first = await bulk('accounts.patchDebit.v4', text, '--failed-rows', failedRows)
  expect([first.code, errorCode(first)]).toEqual([11, 'PARTLY_DONE'])
  expect(valuesOf(service.requests).filter(value => value.startsWith('2006'))).toEqual(['2006 b'])
  const ended = await rows()
  expect(ended.map(({state}) => state)).toEqual(['done', 'failed', 'done', 'held', 'held', 'done'])
  for (const held of ended.filter(({state}) => state === 'held')) {
    expect(held.code).toBe('EARLIER_ROW_FAILED')
    expect(held.message).toMatch(/row 2\b/)
  }
  expect(await readFile(failedRows, 'utf8')).toBe('id,name\n2006,b\n2006,d\n2006,e\n')

  const sent = service.requests.length
  expect((await run(['bulk', 'resume', await job()])).code).toBe(11)
  expect(service.requests.slice(sent).map(({url}) => url)).toEqual([])

  closed = false
  expect((await run(['bulk', 'resume', await job(), '--retry-failed', '--rate', 'off'])).code).toBe(0)
  expect(valuesOf(service.requests.slice(sent))).toEqual(['2006 b', '2006 d', '2006 e'])
})

test('--unordered holds no rows', async () => {
  const {service, bulk, rows} = await scene(({url}) => (url.includes('2006') ? notFound : undefined))
  await bulk('accounts.patchDebit.v4', 'id,name\n2006,b\n2006,d\n2006,e\n', '--unordered')
  expect((await rows()).map(({state}) => state)).toEqual(['failed', 'failed', 'failed'])
  expect(writesOf(service)).toHaveLength(3)
})

test('a row behind one whose effect is unknown is held until a person has found out', async () => {
  let cut = true
  const {service, run, bulk, job, rows} = await scene(({method}) => {
    if (method !== 'PATCH' || !cut) return undefined
    cut = false
    return {...notFound, drop: true}
  })
  expect((await bulk('pricelists.patch.v1', 'id,code\n5001,ONE\n5001,TWO\n')).code).toBe(11)
  const ended = await rows()
  expect(ended.map(({state, code}) => [state, code])).toEqual([
    ['unknown', 'EFFECT_UNKNOWN'],
    ['held', 'EARLIER_ROW_UNKNOWN'],
  ])
  expect(valuesOf(service.requests)).toEqual(['5001 ONE'])

  expect((await run(['bulk', 'resume', await job()])).code).toBe(11)
  expect(valuesOf(service.requests)).toEqual(['5001 ONE'])

  const request = ended[0]?.request ?? ''
  expect((await run(['requests', 'resolve', request])).code).toBe(10)
  const found = [
    'requests',
    'resolve',
    request,
    '--found',
    'no-effect',
    '--because',
    'Not in the list',
    '--yes',
  ]
  expect((await run(found)).code).toBe(0)
  expect((await run(['bulk', 'resume', await job(), '--rate', 'off'])).code).toBe(0)
  expect(valuesOf(service.requests)).toEqual(['5001 ONE', '5001 ONE', '5001 TWO'])
})

test('when it had its effect the row is done, and is not sent again', async () => {
  let cut = true
  const {service, run, bulk, job, rows} = await scene(({method}) => {
    if (method !== 'PATCH' || !cut) return undefined
    cut = false
    return {...notFound, drop: true}
  })
  await bulk('pricelists.patch.v1', 'id,code\n5001,ONE\n5001,TWO\n')
  const request = (await rows())[0]?.request ?? ''
  await run(['requests', 'resolve', request, '--found', 'effect', '--because', 'I saw it', '--yes'])
  expect((await run(['bulk', 'resume', await job(), '--rate', 'off'])).code).toBe(0)
  expect(valuesOf(service.requests)).toEqual(['5001 ONE', '5001 TWO'])
  expect((await rows()).map(({state}) => state)).toEqual(['done', 'done'])
})

test('reads have no order', async () => {
  const {bulk, rows} = await scene(({url}) => (url.includes('9999') ? notFound : undefined))
  expect((await bulk('cards.get.v4', 'id\n9999\n9999\n3001\n')).code).toBe(11)
  expect((await rows()).map(({state}) => state)).toEqual(['failed', 'failed', 'done'])
})
