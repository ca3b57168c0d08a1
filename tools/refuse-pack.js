// npm runs this before it packs or publishes a clone. Such a package would lack the runtimes that an older Node.js hands over to.
import process from 'node:process'

process.stderr.write(
  'A clone is not packed by npm itself, because an older Node.js could not run the package. Make it with: npx node tools/package.ts --platform npm\n',
)
process.exitCode = 1
