import {spawnSync} from 'node:child_process'
import {globSync, statSync} from 'node:fs'
import {delimiter, resolve} from 'node:path'
import process from 'node:process'
import {ensureGenerated} from '../../tools/contract/generated.ts'
import {describeCommands} from '../../tools/describe-commands.ts'

/** The last thing that a build writes. */
const LAST = 'dist/types/sandbox/index.d.ts'

/** Builds if there is no build, or if it is older than what it is made from. */
export async function setup(): Promise<void> {
  ensureGenerated()
  await describeCommands()
  if (!isStale()) return
  const PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
  const {status, stderr} = spawnSync(process.execPath, ['tools/build.ts'], {
    encoding: 'utf8',
    env: {...process.env, PATH},
  })
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`)
}

function isStale(): boolean {
  const built = statSync(LAST, {throwIfNoEntry: false})?.mtimeMs ?? 0
  const sources = [
    ...globSync('src/**/*.{ts,tsx,js,json,yaml,css,html,svg}'),
    'package.json',
    'tools/build.ts',
    ...globSync('tools/build/*.ts'),
  ]
  return sources.some(path => (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0) > built)
}
