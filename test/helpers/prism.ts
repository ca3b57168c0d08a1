import {spawnSync} from 'node:child_process'
import {join} from 'node:path'

const PRISM = '@stoplight/prism-cli@5.16.0'

/** Installs Prism, which checks and mocks by an OpenAPI document, below a folder; gives the script to run. */
export function installPrism(folder: string): string {
  const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, PRISM]
  const {status, stderr} = spawnSync('npm', argv, {cwd: folder, encoding: 'utf8'})
  if (status !== 0) throw new Error(`${PRISM} could not be installed:\n${stderr}`)
  return join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
}
