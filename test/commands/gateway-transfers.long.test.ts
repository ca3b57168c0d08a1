// Transfers through a gateway that puts its pages in place of the service's responses. A script sends each file
// again until it is done, as the exit codes say. TRANSFERS and GATEWAY_SEED try more, and others.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {type GatewayRecorder, gatewayFaults, openRecorder} from '../helpers/gateway-recorder.ts'
import {seeded} from '../helpers/random.ts'
import {isWhole} from '../helpers/whole.ts'

const TRANSFERS = Number(process.env.TRANSFERS ?? (isWhole ? 2000 : 200))
const SEED = Number(process.env.GATEWAY_SEED ?? 20_261_121)
const IN_FILE = 10
const IN_BATCH = 5
/** Share of the batches that a fault strikes. */
const SHARE = 0.55

let home: Home
let recorder: GatewayRecorder
const random = seeded(SEED)

beforeEach(async () => {
  home = await openHome()
  let strikes = 0
  recorder = await openRecorder(() => {
    if (random() >= SHARE) return undefined
    // Each in turn, so that all come in a short run too.
    const fault = gatewayFaults[strikes++ % gatewayFaults.length]
    return fault && {fault, isAfter: fault.isRefusal === undefined && random() < 0.5}
  })
  const flags = ['--kind', 'test', '--base-url', recorder.url, '--auth', 'none']
  await home.json(['profiles', 'add', 'gate', ...flags])
})
afterEach(async () => {
  await recorder.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'gate'])

/** How often each transfer was carried out. */
function effects(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const {texts, hadEffect} of recorder.batches)
    if (hadEffect) for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const twice = () => [...effects()].filter(([, count]) => count > 1).map(([text]) => text)

interface Open {
  readonly id: string
  readonly reference: string
}

/** Does what a person does who has the log of the gateway. */
async function resolveOpen(command: readonly string[]): Promise<void> {
  const open = await home.json<Open[]>(['requests', 'list', '--open', '-p', 'gate'])
  expect(open).toHaveLength(1)
  const arrived = recorder.batches.length
  for (const again of [command, [...command, '--rest']]) expect(await run(...again)).toMatchObject({code: 10})
  expect(recorder.batches, 'nothing is sent while a request is open').toHaveLength(arrived)
  for (const {id, reference} of open) {
    const hadEffect = recorder.batches.some(one => one.hadEffect && one.description.includes(reference))
    const found = hadEffect ? 'effect' : 'no-effect'
    const resolved = await run('requests', 'resolve', id, '--found', found, '--because', 'Log', '--yes')
    expect(resolved).toMatchObject({code: 0})
  }
}

/** Sends a file until it is done. Returns its exit codes. */
async function send(file: string): Promise<number[]> {
  const command = ['a2a', 'create', '--from', file, '--batch-size', String(IN_BATCH), '--yes']
  const codes: number[] = []
  for (let argv = command; codes.length < 100; ) {
    const {code, stderr} = await run(...argv)
    codes.push(code)
    expect(twice(), `after ${codes}: ${stderr}`).toEqual([])
    if (code === 0 || code === 14) return codes
    expect([6, 7, 8, 9, 10, 11], stderr).toContain(code)
    if (code === 10) await resolveOpen(command)
    // 11: a part of the file is done.
    argv = code === 11 ? [...command, '--rest'] : command
  }
  throw new Error(`${file} was not done after ${codes}`)
}

it(`${TRANSFERS} transfers are there at most once at every moment, and exactly once at the end`, {
  timeout: 300_000,
}, async () => {
  const codes: number[] = []
  for (let number = 0; number * IN_FILE < TRANSFERS; number++) {
    const file = join(home.folder, `transfers-${number}.csv`)
    const rows = Array.from(
      {length: IN_FILE},
      (_, at) => `2006,2007,0.0${1 + (at % 9)},EUR,${number}:${at}\n`,
    )
    await writeFile(file, `from,to,amount,currency,text\n${rows.join('')}`)
    codes.push(...(await send(file)))
  }
  const counts = effects()
  expect(counts.size).toBe(TRANSFERS)
  expect([...counts.values()].every(count => count === 1)).toBe(true)
  // The run had what it is about.
  const struck = new Set(recorder.batches.map(({fault}) => fault))
  expect(gatewayFaults.filter(({name}) => !struck.has(name))).toEqual([])
  expect(recorder.batches.some(({fault, hadEffect}) => fault !== undefined && hadEffect)).toBe(true)
  for (const code of [0, 6, 8, 10, 11, 14]) expect(codes).toContain(code)
})
