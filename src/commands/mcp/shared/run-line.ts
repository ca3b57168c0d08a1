import {Readable, Writable} from 'node:stream'
import {main} from '../../../cli/main.ts'
import type {Commands} from '../../../cli/program.ts'
import {environmentForOthers} from '../../../cli/serving/environment-for-others.ts'
import type {Output, Surroundings} from '../../../cli/surroundings.ts'
import {interrupted} from '../../../errors/interruption.ts'

/** More than any response of the service: see LIMITS.response. */
const MOST_BYTES = 64 * 1024 * 1024

/** What a command line printed. */
export interface LineResult {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
  /** stdout was longer, and is not kept. */
  readonly isCut: boolean
}

/** Runs command lines as they would run in a shell of an agent: nobody to ask, and nothing of a terminal. */
export class LineRunner {
  readonly #outside: Surroundings
  readonly #commands: Commands

  constructor(outside: Surroundings, commands: Commands) {
    this.#outside = outside
    this.#commands = commands
  }

  /** @param agent the name of the caller, unless the environment names one. */
  async run(argv: readonly string[], agent: string, signal: AbortSignal): Promise<LineResult> {
    const stdout = new Kept()
    const stderr = new Kept()
    const exit = await main(argv, this.#surroundings({stdout, stderr, signal, agent}), this.#commands)
    return {exit, stdout: stdout.text, stderr: stderr.text, isCut: stdout.isCut}
  }

  #surroundings({
    agent,
    ...own
  }: {
    readonly stdout: Output
    readonly stderr: Output
    readonly signal: AbortSignal
    readonly agent: string
  }): Surroundings {
    const outside = this.#outside
    return {
      ...own,
      env: environment(outside.env, agent),
      stdin: Readable.from([]),
      platform: outside.platform,
      homedir: outside.homedir,
      osUser: outside.osUser,
      pid: outside.pid,
      now: () => outside.now(),
      random: () => outside.random(),
      newKey: () => outside.newKey(),
      sleep: (ms, abort) => outside.sleep(ms, abort),
      ...(outside.openKeyring === undefined ? {} : {openKeyring: outside.openKeyring}),
      abandonably: async work => {
        if (own.signal.aborted) throw interrupted(own.signal.reason, {effect: 'none'})
        return outside.abandonably(work)
      },
      showAbandonably: work => outside.showAbandonably(work),
      atExit: act => outside.atExit(act),
    }
  }
}

/** The server has chosen the profile and the format. What would ask, or tell more than a command does, is off. */
function environment(env: Surroundings['env'], agent: string): Surroundings['env'] {
  const isNamed = Boolean(env.CARDCTL_AGENT || env.AI_AGENT)
  return {
    ...environmentForOthers(env),
    ...(isNamed ? {} : {CARDCTL_AGENT: agent}),
  }
}

class Kept extends Writable {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#bytes += chunk.length
    if (!this.isCut) this.#chunks.push(chunk)
    else this.#chunks.length = 0
    done()
  }

  get isCut(): boolean {
    return this.#bytes > MOST_BYTES
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
