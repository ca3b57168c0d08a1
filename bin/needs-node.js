// In a syntax that every Node.js reads, so that the oldest can say what is wrong with it, too.

/** The oldest Node.js whose node:sqlite prints no warning. package.json names it as well. */
const OLDEST = [24, 15]

/** @param version such as 24.15.0 */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

function refuseOldNode() {
  process.stderr.write(
    `cardctl needs Node.js ${OLDEST.join('.')} or later, and ${process.execPath} is ${process.versions.node}: ` +
      'install a newer one from https://nodejs.org, or install cardctl with its own runtime.\n',
  )
  process.exitCode = 3
}

module.exports = {isNewEnough, refuseOldNode}
