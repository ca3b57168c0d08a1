// Checks the contract against our own rules, and with Redocly against OpenAPI. Every finding is an error.
import {globSync, readFileSync} from 'node:fs'
import process from 'node:process'
import {withWholeEntry} from './contract/bundle.ts'
import {CONTRACT, PARTS} from './contract/generated.ts'
import {lintContract, lintParts} from './contract/lint.ts'
import {readContract} from './contract/read-contract.ts'
import {run} from './run.ts'

const contract = readContract(readFileSync(CONTRACT, 'utf8'))
const parts = new Map(globSync(PARTS).map(path => [path, readFileSync(path, 'utf8')]))
const faults = [...lintContract(contract), ...lintParts(parts, contract)]
for (const fault of faults) process.stderr.write(`${fault}\n`)
const redocly = withWholeEntry(path => run('redocly', ['lint', path], {quiet: true}))
if (redocly.code !== 0) process.stderr.write(redocly.output)
process.exitCode = faults.length > 0 || redocly.code !== 0 ? 1 : 0
