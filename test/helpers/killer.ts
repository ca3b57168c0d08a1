import type {Desk, Exit} from './programs.ts'

/** When the next process is killed, in ms after its start. */
export type KillTimes = () => number

/** Times from the start of a process until some time into its work, adapted to the load of this machine. */
export async function killTimes(desk: Desk, random: () => number, workMs: number): Promise<KillTimes> {
  const began = performance.now()
  await desk.run(['--version'])
  const startMs = performance.now() - began
  return () => startMs + random() * (2 * startMs + workMs)
}

/** Runs the tool and kills it after this many ms if it still runs; its exit code is null then. */
export function killedIn(desk: Desk, argv: readonly string[], ms: number | undefined): Promise<Exit> {
  return desk.run(argv, child => {
    if (ms === undefined) return
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('exit', () => clearTimeout(timer))
  })
}
