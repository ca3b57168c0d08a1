// In a syntax that every Node.js reads, so that the oldest can say what is wrong with it, too.

/** The oldest Node.js whose node:sqlite prints no warning. package.json names it as well. */
const OLDEST = [24, 15]

/** @param version such as 24.15.0 */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

const found = () =>
  `cardctl needs Node.js ${OLDEST.join('.')} or later, and ${process.execPath} is ${process.versions.node}.`

/** @param advice why the runtime that comes with cardctl doesn't help, and what to do */
function refuseOldNode(advice) {
  process.stderr.write(`${found()} ${advice || 'Install a newer Node.js from https://nodejs.org'}.\n`)
  process.exitCode = 3
}

/** For programs that import cardctl: theirs is the Node.js that counts. */
function requireNewNode() {
  if (!isNewEnough(process.versions.node)) throw new Error(found())
}

module.exports = {isNewEnough, refuseOldNode, requireNewNode}
