#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) {
  require('../dist/cli/before-start.cjs').beforeStart(process.argv.slice(2))
  require('../dist/cli/cardctl.cjs').start({isHangUpIgnored: require('./hang-up.js').isHangUpIgnored()})
} else {
  require('./rerun.js').rerun()
}
