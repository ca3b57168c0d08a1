import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const patch = (limit: number, ...more: string[]) => [
  ...['accounts', 'patch', '2001', '--type', 'credit', '-F', `creditLimit=${limit}`],
  ...['--idempotency-key', 'nightly', ...more],
]

let home: Home
/** A home that knows nothing of the other, such as a CI job's. */
let fresh: Home
beforeEach(async () => {
  home = await openHome()
  fresh = await openHome()
})
afterEach(async () => {
  await home.remove()
  await fresh.remove()
})

const newest = async (at: Home, options = {}) =>
  (await at.json<{id: string; replayed?: unknown}[]>(['requests', 'list'], options))[0]
const warningIn = (stderr: string) =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{"warning"'))
    .map(line => JSON.parse(line).warning)[0]

describe('an answer that the service had stored', () => {
  let service: Service
  let env: Record<string, string>
  beforeEach(async () => {
    service = await openService()
    env = {CARDCTL_BASE_URL: service.url}
  })
  afterEach(() => service.close())

  test('is not shown as a change, even if this machine does not know the first request', async () => {
    const first = await home.run(patch(1111), {env})
    expect(first).toMatchObject({code: 0, stdout: expect.stringContaining('updated')})
    expect(first.stderr).not.toContain('Nothing was changed')
    for (const [at, other] of [
      [home, 'which had the same key and content'],
      [fresh, 'was not applied'],
    ] as const) {
      const again = await at.run(patch(at === home ? 1111 : 2222, '-q'), {env})
      expect(again.code).toBe(0)
      expect(again.stdout).toMatch(/^Nothing was changed now\. The stored response:\n/)
      expect(again.stderr).toContain(other)
      expect(await newest(at, {env})).toMatchObject({replayed: true})
    }
    const [{id} = {id: ''}] = await fresh.json<{id: string}[]>(['requests', 'list'], {env})
    const shown = await fresh.run(['requests', 'show', id], {env, columns: 200})
    expect(shown.stdout).toContain('the stored response to an earlier request')
  })

  test('is reported as JSON on stderr, and its body stays unchanged', async () => {
    const first = await home.run(patch(1111, '-o', 'json'), {env})
    const again = await home.run(patch(1111, '-o', 'json', '-q'), {env})
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout))
    expect(warningIn(first.stderr)).toBeUndefined()
    const [repeat, original] = await home.json<{id: string}[]>(['requests', 'list'], {env})
    expect(warningIn(again.stderr)).toMatchObject({
      code: 'ANSWER_REPLAYED',
      replayed: true,
      requestId: repeat?.id,
      earlier: original?.id,
      idempotencyKey: 'nightly',
    })
  })

  test('of a service without the header is known from the journal, or it is said that nobody can tell', async () => {
    const plain = await openService(
      () => undefined,
      ({headers, ...own}) => {
        const {'x-idempotent-replayed': _, ...rest} = headers
        return {...own, headers: rest}
      },
    )
    try {
      for (const at of [home, fresh]) {
        const add = ['profiles', 'add', 'svc', '--kind', 'test', '--base-url', plain.url]
        expect((await at.run(add)).code).toBe(0)
      }
      const on = (limit: number) => [...patch(limit), '-p', 'svc']
      const first = await home.run(on(1111))
      expect(first.stdout).toContain('updated')
      expect(first.stderr).toContain('This may be the stored response')
      const again = await home.run(on(1111))
      expect(again.stdout).toContain('Nothing was changed now')
      expect((await fresh.run(on(2222))).stderr).toContain('This may be the stored response')
      const [last] = await fresh.json<{replayed: unknown}[]>(['requests', 'list', '-p', 'svc'])
      expect(last?.replayed).toBe('unknown')
      // A key that was made for the request was never used before.
      const own = await home.run([...patch(1111).slice(0, -2), '-p', 'svc'])
      expect(own.stderr).not.toContain('This may be the stored response')
    } finally {
      await plain.close()
    }
  })
})

test('a key of a request that was refused is free for the corrected content', async () => {
  let refusals = 1
  const service = await openService(() => (refusals-- > 0 ? reply(409, {title: 'Closed'}) : undefined))
  const env = {CARDCTL_BASE_URL: service.url}
  try {
    expect((await home.run(patch(1111), {env})).code).toBe(6)
    expect(await home.run(patch(2222), {env})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('updated'),
    })
    const {code, stderr} = await home.run(patch(3333), {env})
    expect([code, stderr]).toEqual([2, expect.stringContaining('and succeeded')])
  } finally {
    await service.close()
  }
})
