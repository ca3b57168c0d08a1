import {once} from 'node:events'
import {join} from 'node:path'
import {openRecording} from '../../src/webhook/index.ts'
import {openCaller} from '../../src/webhook/send/caller.ts'
import {callOf} from './calls.ts'
import {serveProcess} from './serve-process.ts'

const CONNECTIONS = 8

/** `--approve` and `--decline 51` take turns, so that an answer tells which server gave it. */
const deciderOf = (round: number) => (round % 2 === 0 ? ['--approve'] : ['--decline', '51'])

export interface KillRounds {
  /** Where the recording is; empty at first. */
  readonly home: string
  readonly rounds: number
  readonly durability: 'process' | 'power'
  /** In [0, 1). */
  random(): number
}

export interface KillResult {
  readonly answered: number
  /** Answers that a caller got and the recording doesn't have, or has otherwise. */
  readonly missing: readonly string[]
  /** Answers that were others when the same call came again after a kill. */
  readonly changed: readonly string[]
}

/** Calls `webhook serve` over several connections, kills it with -9 at a random moment, looks what is recorded; and again. */
export async function killRounds({home, rounds, durability, random}: KillRounds): Promise<KillResult> {
  const file = join(home, 'webhook', 'events.db')
  const codes = new Map<string, string>()
  const changed: string[] = []
  for (let round = 0; round < rounds; round++) {
    const {child, url} = await serveProcess(home, [...deciderOf(round), '--durability', durability])
    const caller = openCaller({base: new URL(url), deadlineMs: 10_000, now: Date.now})
    const again = [...codes].at(-1 - Math.floor(random() * Math.min(codes.size, 50)))
    if (again) {
      const {code} = await caller.authorise(callOf('chip', again[0]))
      if (code !== again[1]) changed.push(`${again[0]}: ${again[1]}, then ${code}`)
    }
    const before = codes.size
    const enough = 1 + Math.floor(random() * 300)
    const delayMs = random() * 5
    let calls = 0
    let killing = false
    const load = async () => {
      for (;;) {
        const id = `${round}-${++calls}`
        const {outcome, code = ''} = await caller.authorise(callOf('chip', id))
        if (outcome === 'unreachable' || outcome === 'invalid') return
        codes.set(id, code)
        if (killing || codes.size - before < enough) continue
        killing = true
        setTimeout(() => child.kill('SIGKILL'), delayMs)
      }
    }
    const ended = once(child, 'close')
    await Promise.all(Array.from({length: CONNECTIONS}, load))
    await ended
    caller.close()
  }
  return {answered: codes.size, missing: missingIn(file, codes), changed}
}

function missingIn(file: string, codes: ReadonlyMap<string, string>): string[] {
  using recording = openRecording(file)
  const recorded = new Map<string, string | undefined>()
  for (const {event} of recording.iterate({types: ['auth']})) {
    if (event.type === 'auth') recorded.set(event.id, event.code)
  }
  return [...codes].filter(([id, code]) => recorded.get(id) !== code).map(([id]) => id)
}
