// Writes the files that are generated from the contract and from the schema of rule files, unless they are up to date, and
// the list of commands. A contract that breaks our own rules makes nothing.
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {writeCommandIndex} from './command-index.ts'
import {generatedFiles, isFresh, stampGenerated} from './contract/generated.ts'

writeCommandIndex()
if (!isFresh()) {
  // Loaded on first use: loading the generator takes most of a second.
  const {ContractFaults, generate} = await import('./contract/generate.ts')
  const files = await generate().catch((error: unknown) => {
    if (!(error instanceof ContractFaults)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  for (const [path, text] of files) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, text)
  }
  for (const path of generatedFiles()) if (!files.has(path)) rmSync(path)
  stampGenerated()
}
