#!/usr/bin/env node
import process from 'node:process'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) {
  const {beforeStart} = await import('../dist/cli/before-start.js')
  beforeStart()
  const [{start}, {isHangUpIgnored}] = await Promise.all([
    import('../dist/cli/start.js'),
    import('./hang-up.js'),
  ])
  await start({isHangUpIgnored: isHangUpIgnored()})
} else {
  const {rerun} = await import('./rerun.js')
  rerun()
}
