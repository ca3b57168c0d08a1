import {once} from 'node:events'
import {createServer} from 'node:net'
import {describe, expect, it} from 'vitest'
import {parseRateWindows} from '../../src/cli/pace.ts'
import {EventQueue, listening, refuseExposed} from '../../src/cli/serving/run-server.ts'

describe('refuseExposed', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost', 'LOCALHOST'])('lets %s pass', host => {
    expect(() => refuseExposed(host, {guarded: false})).not.toThrow()
  })

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com', '::ffff:192.0.2.1'])(
    'refuses %s without a guard and lets it pass with one',
    host => {
      expect(() => refuseExposed(host, {guarded: false})).toThrow(/lets other machines connect/)
      expect(() => refuseExposed(host, {guarded: true})).not.toThrow()
    },
  )
})

describe('parseRateWindows', () => {
  it('reads several limits', () => {
    expect(parseRateWindows('50/s, 3000/min,9/h')).toEqual([
      {count: 50, windowMs: 1000},
      {count: 3000, windowMs: 60_000},
      {count: 9, windowMs: 3_600_000},
    ])
  })

  it.each(['', '50', '0/s', '-1/s', '1.5/s', '50/day', '50/s,', '9999999/s', 'x/s', '50 / s'])(
    'refuses "%s"',
    text => {
      expect(() => parseRateWindows(text)).toThrow(/--rate-limit takes/)
    },
  )
})

describe('listening', () => {
  it('says that a port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const {port} = server.address() as {port: number}
    const second = createServer()
    const listen = async () => {
      second.listen(port, '127.0.0.1')
      await once(second, 'listening')
    }
    await expect(listening(listen, {host: '127.0.0.1', port})).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      exit: 3,
      message: expect.stringContaining(`port ${port}: another program listens there`),
    })
    server.close()
  })

  it('passes on unknown errors', async () => {
    const fault = new TypeError('of another kind')
    await expect(listening(() => Promise.reject(fault), {host: '127.0.0.1', port: 0})).rejects.toBe(fault)
  })
})

describe('EventQueue', () => {
  const read = async <Event>(queue: EventQueue<Event>) => {
    const events = []
    for await (const batch of queue) events.push(...batch)
    return events
  }

  it('gives what was pushed before and while it was read, in order', async () => {
    const queue = new EventQueue<number>()
    queue.push(1)
    const reading = read(queue)
    queue.push(2)
    await new Promise(setImmediate)
    queue.push(3)
    queue.end()
    queue.push(4)
    expect(await reading).toEqual([1, 2, 3])
  })

  it('counts the events that a slow reader missed, in their place', async () => {
    const queue = new EventQueue<number>(2)
    for (const event of [1, 2, 3, 4, 5]) queue.push(event)
    const reader = queue[Symbol.asyncIterator]()
    expect((await reader.next()).value).toEqual([1, 2, {type: 'dropped', count: 3}])
    queue.push(6)
    queue.end()
    expect((await reader.next()).value).toEqual([6])
    expect((await reader.next()).done).toBe(true)
  })
})
