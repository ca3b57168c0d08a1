import {spawnSync} from 'node:child_process'
import process from 'node:process'

/** A Node.js too old for the tool, if this machine has one. */
export function olderNode(): string | undefined {
  const candidates = [process.env.CARDCTL_TEST_OLDER_NODE, '/usr/bin/node', '/usr/local/bin/node']
  return candidates.find(path => {
    if (!path) return false
    const {stdout} = spawnSync(path, ['--version'], {encoding: 'utf8'})
    return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 99) < 24
  })
}
