#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 15)) {
  const {loadProgram} = require('../dist/cli/load-program.cjs')
  const program = loadProgram(require.resolve('../dist/cli/cardctl.cjs'), process.argv.slice(2))
  program.start({isHangUpIgnored: require('./hang-up.js').isHangUpIgnored()})
} else {
  require('./rerun.js').rerun()
}
