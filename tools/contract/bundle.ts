import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {environment} from '../run.ts'

/** The document that lists the paths. Operations and schemas are in one file for each topic next to it. */
export const ENTRY = 'src/contract/openapi/openapi.yaml'

const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js'

/** The contract as one OpenAPI document, with the comment that explains its marks. @throws Error that quotes Redocly */
export function bundleContract(): string {
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [REDOCLY, 'bundle', ENTRY, '--component-renaming-conflicts-severity', 'error'],
    {encoding: 'utf8', env: environment()},
  )
  if (status !== 0) throw new Error(stderr)
  const [legend = ''] = /^(?:#.*\n)*/.exec(readFileSync(ENTRY, 'utf8')) ?? []
  return legend + stdout
}
