// Runs before what the package exports is read, which an older Node.js can't.
require('./needs-node.js').requireNewNode()
