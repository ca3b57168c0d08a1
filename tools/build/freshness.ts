import {createHash} from 'node:crypto'
import {existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'

/** The last thing that a build writes. */
const LAST = 'dist/types/sandbox/index.d.ts'
/** Has the digest of what the last build was made from. Not in `dist/`, which is packed. */
const STAMP = 'node_modules/.cache/cardctl-build'

const INPUTS = ['src/**', 'tools/**/*.{ts,js}', 'package.json', 'package-lock.json']

/** Whether there is no build, or it was made from other files: changed, added or removed ones. */
export const isStale = (): boolean =>
  !(existsSync(LAST) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest())

/** To be called at the end of a build. */
export function markFresh(): void {
  mkdirSync(dirname(STAMP), {recursive: true})
  writeFileSync(STAMP, digest())
}

function digest(): string {
  const hash = createHash('sha256')
  for (const path of globSync(INPUTS).sort())
    if (statSync(path).isFile()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}
