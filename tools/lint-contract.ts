// Checks the contract with Redocly against OpenAPI. Every finding is an error. Our own rules are checked when it is generated.
import process from 'node:process'
import {withWholeEntry} from './contract/bundle.ts'
import {run} from './run.ts'

const redocly = withWholeEntry(path => run('redocly', ['lint', path], {quiet: true}))
if (redocly.code !== 0) process.stderr.write(redocly.output)
process.exitCode = redocly.code === 0 ? 0 : 1
