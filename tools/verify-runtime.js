// Checks the binary of the npm package `node`: a nested install fetches it, which the lock file doesn't cover.
import {createHash} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const binary = here(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`)
const known = JSON.parse(readFileSync(here('./runtime-checksums.json'), 'utf8'))
const expected = known[`${process.platform}-${process.arch}`]

if (existsSync(binary)) {
  const actual = createHash('sha256').update(readFileSync(binary)).digest('hex')
  if (expected === undefined) {
    process.stderr.write(
      `No known checksum of the runtime for ${process.platform}-${process.arch}; it was not verified.\n`,
    )
  } else if (actual !== expected) {
    process.stderr.write(
      `The Node.js binary in node_modules/node is not the one expected (SHA-256 ${actual}).\n`,
    )
    process.exitCode = 1
  }
}
