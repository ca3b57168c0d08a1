// The links of running servers, for another browser or after one was given to somebody who should not have it.
import {createHmac} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

interface Link {
  readonly server: string
  readonly link: string
}

/** Whether the page lets in who has the link. */
async function opens(link: string): Promise<number> {
  const {origin, pathname, hash} = new URL(link)
  const {epoch} = (await (await fetch(`${origin}${pathname}epoch`)).json()) as {epoch: string}
  const key = hash.replace('#key=', '')
  const proof = createHmac('sha256', key).update(`${epoch} ${origin}`).digest('base64url')
  return (await fetch(`${origin}${pathname}session`, {headers: {'x-cardctl-inspect': proof}})).status
}

test('a running server has one link for all browsers; a new one locks the old one out', {
  timeout: 60_000,
}, async () => {
  const none = await home.run(['webhook', 'link'])
  expect(none).toMatchObject({code: 5, stderr: expect.stringContaining('cardctl webhook serve --inspect')})
  const stop = new AbortController()
  const server = ['webhook', 'serve', '-o', 'ndjson', '--port']
  const ports = [await freePort(), await freePort()]
  const with0 = home.run([...server, String(ports[0]), '--inspect'], {signal: stop.signal})
  const without = home.run([...server, String(ports[1])], {signal: stop.signal})
  try {
    const links = () => home.json<Link[]>(['webhook', 'link'])
    await expect.poll(links).toHaveLength(1)
    const [first] = await links()
    expect(first?.server).toBe(`http://127.0.0.1:${ports[0]}`)
    expect(await opens(first?.link ?? '')).toBe(200)
    const narrow = await home.run(['webhook', 'link'], {columns: 40})
    expect(narrow.stdout).toBe(`${first?.link}\n`)

    const [second] = await home.json<Link[]>(['webhook', 'link', '--new'])
    expect(second?.link).not.toBe(first?.link)
    expect(await opens(first?.link ?? '')).toBe(401)
    expect(await opens(second?.link ?? '')).toBe(200)
    expect(await links()).toEqual([second])
  } finally {
    stop.abort('SIGINT')
  }
  const [ended] = await Promise.all([with0, without])
  expect(JSON.parse(ended.stdout.split('\n')[0] ?? '')).toHaveProperty('inspect')
  expect((await home.run(['webhook', 'link'])).code).toBe(5)
})
