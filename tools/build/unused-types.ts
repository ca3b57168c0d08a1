import {existsSync, globSync, readFileSync, rmSync} from 'node:fs'
import {dirname, resolve} from 'node:path'

/** Deletes the declarations that no entry reaches: the compiler writes those of every module that it reads. */
export function removeUnusedTypes(folder: string, entries: readonly string[]): void {
  const used = new Set<string>()
  const visit = (file: string) => {
    if (used.has(file) || !existsSync(file)) return
    used.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      visit(resolve(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')))
  }
  for (const entry of entries) visit(resolve(entry))
  for (const file of globSync(`${folder}/**/*.d.ts`)) if (!used.has(resolve(file))) rmSync(file)
}

/** The relative path of an import, an export or the type of a module. */
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g
