// The contract against our own rules, and against OpenAPI by Redocly. Any complaint is an error.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {lintContract} from './contract/lint.ts'
import {readContract} from './contract/read-contract.ts'
import {run} from './run.ts'

const CONTRACT = 'src/contract/openapi.yaml'

const faults = lintContract(readContract(readFileSync(CONTRACT, 'utf8')))
for (const fault of faults) process.stderr.write(`${fault}\n`)
const redocly = run('redocly', ['lint', CONTRACT], {quiet: true})
if (redocly.code !== 0) process.stderr.write(redocly.output)
process.exitCode = faults.length > 0 || redocly.code !== 0 ? 1 : 0
