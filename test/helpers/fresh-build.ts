import {spawnSync} from 'node:child_process'
import {delimiter, resolve} from 'node:path'
import process from 'node:process'
import {isStale} from '../../tools/build/freshness.ts'
import {setup as generate} from './fresh-sources.ts'

/** Builds if there is no build, or if it is older than what it is made from. */
export async function setup(): Promise<void> {
  await generate()
  if (!isStale()) return
  const PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`
  const {status, stderr} = spawnSync(process.execPath, ['tools/build.ts'], {
    encoding: 'utf8',
    env: {...process.env, PATH},
  })
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`)
}
