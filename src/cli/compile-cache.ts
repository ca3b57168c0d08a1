import {chmodSync, mkdirSync} from 'node:fs'
import {enableCompileCache} from 'node:module'
import {join} from 'node:path'
import process from 'node:process'

/** V8 executes what lies in its compile cache, so it must be a folder that nobody else can write to. */
export function cacheCompiledCode(): void {
  try {
    const base = process.env.CARDCTL_CACHE_DIR ?? process.env.XDG_CACHE_HOME
    const home = process.env.HOME ?? process.env.LOCALAPPDATA
    if (!base && !home) return
    const folder = join(
      base ?? join(home ?? '', '.cache'),
      ...(process.env.CARDCTL_CACHE_DIR ? [] : ['cardctl']),
      'compiled',
    )
    mkdirSync(folder, {recursive: true, mode: 0o700})
    chmodSync(folder, 0o700)
    enableCompileCache(folder)
  } catch {
    // A read-only home only makes the start slower.
  }
}
