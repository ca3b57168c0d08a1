// Writes the pages that are generated from the code: the rooms of src/README.md, docs/commands/ with the error codes, the
// settings, the fields of files and the contract of the webhook, docs/profiles.schema.json, and the exit codes that any page
// names beside an error code. With --check, only compares.
import {existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {webhookContractPage} from '../src/commands/webhook/shared/contract-page.ts'
import {readWebhookContract} from '../src/contract/webhook-contract.ts'
import {commandPages} from './docs/command-pages.ts'
import {errorsPage, withExitCodes} from './docs/exit-codes.ts'
import {fileFormatsPage} from './docs/file-formats.ts'
import {profilesSchema, settingsPage} from './docs/profile-settings.ts'
import {architecturePage} from './docs/rooms.ts'

const pages = new Map([
  ['src/README.md', architecturePage(readFileSync('src/README.md', 'utf8'))],
  ['docs/commands/file-formats.md', fileFormatsPage()],
  ['docs/commands/settings.md', settingsPage()],
  ['docs/profiles.schema.json', profilesSchema()],
  ['docs/commands/errors.md', errorsPage()],
  ['docs/commands/webhook-contract.md', webhookContractPage(await readWebhookContract())],
])
for (const [name, text] of commandPages()) pages.set(`docs/commands/${name}`, text)
for (const path of globSync(['docs/*.md', 'docs/decisions/*.md']))
  pages.set(path, withExitCodes(pages.get(path) ?? readFileSync(path, 'utf8')))

const check = process.argv.includes('--check')
let stale = 0
for (const [path, text] of pages) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  stale++
  if (check) {
    process.stderr.write(`${path} is stale: run node tools/generate-docs.ts\n`)
  } else {
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, text)
  }
}
for (const path of globSync('docs/commands/*.md')) {
  if (pages.has(path)) continue
  stale++
  if (check) process.stderr.write(`${path} belongs to no topic\n`)
  else rmSync(path)
}
process.exitCode = check && stale > 0 ? 1 : 0
