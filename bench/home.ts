// Where benchmarks find programs, and where these run.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

/** A file by its path from this folder. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The build of cardctl. */
export const BINARY = here('../bin/run.js')

/** An empty home folder, and the environment of the programs that run in it. */
export interface Home {
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

/** Makes a home folder, and removes it when the work has ended. */
export async function withHome<T>(work: (home: Home) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'cardctl-bench-'))
  try {
    return await work({home, env: {PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1'}})
  } finally {
    rmSync(home, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
  }
}
