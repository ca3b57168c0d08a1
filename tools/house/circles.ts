import {run as runTool} from '../run.ts'

interface Cruise {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly {readonly resolved: string; readonly dependencyTypes: readonly string[]}[]
  }[]
}

type Graph = ReadonlyMap<string, readonly string[]>

/** Groups of files that import each other in a circle: by code that runs, and those that only types close. */
export function circles(): {readonly run: number; readonly types: number} {
  const {output} = runTool(
    'depcruise',
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
    {
      quiet: true,
    },
  )
  const {modules} = JSON.parse(output.slice(output.indexOf('{'))) as Cruise
  const graph = (isWanted: (types: readonly string[]) => boolean): Graph =>
    new Map(
      modules.map(({source, dependencies}) => [
        source,
        dependencies
          .filter(({dependencyTypes, resolved}) => isWanted(dependencyTypes) && resolved.startsWith('src/'))
          .map(({resolved}) => resolved),
      ]),
    )
  const run = circlesIn(graph(types => !types.includes('type-only')))
  return {run, types: circlesIn(graph(() => true)) - run}
}

/** The strongly connected groups of more than one file (Tarjan). */
function circlesIn(graph: Graph): number {
  const found = new Map<string, {index: number; low: number; open: boolean}>()
  const stack: string[] = []
  let count = 0
  const visit = (file: string) => {
    const own = {index: found.size, low: found.size, open: true}
    found.set(file, own)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      const known = found.get(next)
      if (known === undefined) own.low = Math.min(own.low, visit(next).low)
      else if (known.open) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) {
        const one = found.get(member)
        if (one !== undefined) one.open = false
      }
      if (group.length > 1) count++
    }
    return own
  }
  for (const file of graph.keys()) if (!found.has(file)) visit(file)
  return count
}
