import type {Exit, ProcessHome, Served} from './process-home.ts'

/** When the next process is killed: this many ms after its start, or when it calls what it gets. */
export type KillTimes = () => number | ((kill: () => void) => void)

/** Times from the start of a process until some time into its work, adapted to the load of this machine. */
export async function killTimes(home: ProcessHome, random: () => number, workMs: number): Promise<KillTimes> {
  const began = performance.now()
  await home.run(['--version'])
  const startMs = performance.now() - began
  return () => startMs + random() * (2 * startMs + workMs)
}

/** Whenever a service has answered some requests of an operation, from `least` to `most`: in the middle of the work. */
export function killsMidway(
  service: Served,
  random: () => number,
  {operation, least, most}: {readonly operation: string; readonly least: number; readonly most: number},
): KillTimes {
  return () => kill => {
    let left = least + Math.floor(random() * (most - least + 1))
    service.requests(asked => {
      if (asked.operation === operation && --left === 0) kill()
    })
  }
}

/** Runs the tool and kills it then if it still runs; its exit code is null then. */
export function killAfter(
  home: ProcessHome,
  argv: readonly string[],
  when: ReturnType<KillTimes> | undefined,
): Promise<Exit> {
  return home.run(argv, child => {
    if (when === undefined) return
    const kill = () => child.kill('SIGKILL')
    if (typeof when === 'function') return when(kill)
    const timer = setTimeout(kill, when)
    child.on('exit', () => clearTimeout(timer))
  })
}
