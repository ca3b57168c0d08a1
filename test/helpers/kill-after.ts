import type {Exit, ProcessHome} from './process-home.ts'

/** When the next process is killed, in ms after its start. */
export type KillTimes = () => number

/** Times from the start of a process until some time into its work, adapted to the load of this machine. */
export async function killTimes(home: ProcessHome, random: () => number, workMs: number): Promise<KillTimes> {
  const began = performance.now()
  await home.run(['--version'])
  const startMs = performance.now() - began
  return () => startMs + random() * (2 * startMs + workMs)
}

/** Runs the tool and kills it after this many ms if it still runs; its exit code is null then. */
export function killAfter(home: ProcessHome, argv: readonly string[], ms: number | undefined): Promise<Exit> {
  return home.run(argv, child => {
    if (ms === undefined) return
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('exit', () => clearTimeout(timer))
  })
}
