#!/usr/bin/env node
const {isNewEnough, refuseOldNode} = require('./needs-node.js')

if (isNewEnough(process.versions.node)) {
  // A signal that comes while the program is loaded is kept for it, to say that nothing was sent.
  const early = () => process.exit(143)
  process.on('SIGTERM', early)
  const {loadProgram} = require('../dist/cli/load-program.cjs')
  const program = loadProgram(require.resolve('../dist/cli/cardctl.cjs'), process.argv.slice(2))
  if (program) program.start({isHangUpIgnored: require('./hang-up.js').isHangUpIgnored(), early})
} else if (Number.parseInt(process.versions.node, 10) < 18) {
  refuseOldNode()
} else {
  require('./rerun.js').rerun()
}
