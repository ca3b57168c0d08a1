import {globSync, statSync} from 'node:fs'

/** The last thing that a build writes. */
const LAST = 'dist/types/sandbox/index.d.ts'

/** Whether there is no build, or it is older than what it is made from. */
export function isStale(): boolean {
  const built = statSync(LAST, {throwIfNoEntry: false})?.mtimeMs ?? 0
  const sources = [
    ...globSync('src/**/*.{ts,tsx,js,json,yaml,css,html,svg}'),
    'package.json',
    'package-lock.json',
    'tools/build.ts',
    'tools/describe-commands.ts',
    ...globSync('tools/{build,docs}/*.ts'),
  ]
  return sources.some(path => (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0) > built)
}
