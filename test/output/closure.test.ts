import {build} from 'esbuild'
import {describe, expect, it} from 'vitest'

/** The files that an entry loads at once, without what stands behind import(). */
async function staticClosure(entry: string): Promise<string[]> {
  const {metafile} = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'unused',
  })
  const files = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const {path, kind} of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import') visit(path)
  }
  visit(entry)
  return [...files]
}

describe('modules loaded at start', () => {
  it.each(['src/output/index.ts', 'src/output/views/cards.ts', 'src/output/views/generic.ts'])(
    '%s: no heavy part',
    async entry => {
      const files = await staticClosure(entry)
      expect(files).toContain(entry)
      expect(
        files.filter(file => /cli-table3|\/yaml\/|jmespath|csv-parse|csv-stringify|undici/.test(file)),
      ).toEqual([])
    },
  )
})
