import {expect, it, onTestFinished} from 'vitest'
import type {Failure} from '../../src/errors/failure.ts'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {kinds, type OpenSender, openSender, type SentRequest, still, target} from './surround.ts'

async function senderTo(...behaviours: Behaviour[]): Promise<{sender: OpenSender; service: FaultyService}> {
  const service = new FaultyService(...behaviours)
  const sender = openSender(target(await service.listen()), still())
  onTestFinished(async () => {
    await sender.close()
    await service.close()
  })
  return {sender, service}
}

const request = (admit: SentRequest['admit']): SentRequest => ({
  operation: kinds.keyed,
  input: {path: {id: '1'}, query: {}, body: {}},
  timeoutMs: 60_000,
  admit,
})

it('every attempt is admitted, and every response reported with the time that the service asks for', async () => {
  const {sender} = await senderTo(
    {status: 429, headers: {'retry-after': '3'}},
    'cut after request',
    {status: 429, headers: {}},
    OK,
  )
  const told: unknown[] = []
  let admitted = 0
  const admit = async () => {
    const number = ++admitted
    return {
      answered: (status: number, retryAfterMs: number | undefined) =>
        told.push([number, status, retryAfterMs]),
    }
  }
  const {attempts} = await sender.send(request(admit))
  expect(attempts).toBe(4)
  expect(admitted).toBe(4)
  expect(told).toEqual([
    [1, 429, 3_000],
    [3, 429, undefined],
    [4, 200, undefined],
  ])
})

it('a request that is not admitted in time was not sent', async () => {
  const {sender, service} = await senderTo(OK)
  const never = () => new Promise<never>(() => undefined)
  const failure = await sender.send({...request(never), timeoutMs: 30}).catch((error: Failure) => error)
  expect(failure).toMatchObject({code: 'RATE_LIMITED', details: {effect: 'none'}})
  expect(service.effects).toBe(0)
})

it('tells what it waits for, except while credentials and admission are awaited', async () => {
  const {sender} = await senderTo({status: 503, headers: {}}, OK)
  const told: string[] = []
  let isWaiting = false
  const admit = async () => {
    told.push(isWaiting ? 'admitted while it waits' : 'admitted')
    return undefined
  }
  const waiting = (host: string, attempt: number) => {
    isWaiting = true
    told.push(`${host.replace(/:\d+$/, '')} ${attempt}`)
    return () => {
      isWaiting = false
    }
  }
  await sender.send({...request(admit), waiting})
  expect(told).toEqual(['admitted', '127.0.0.1 1', '127.0.0.1 2', 'admitted', '127.0.0.1 2'])
  expect(isWaiting).toBe(false)
})
