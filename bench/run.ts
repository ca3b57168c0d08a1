// npm run bench: compares the speed of cardctl with that of other programs. Run with --help for the flags.
import {readFileSync, writeFileSync} from 'node:fs'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {setup as buildIfStale} from '../test/helpers/fresh-build.ts'
import {bench} from './bench.ts'
import {bulk} from './bulk.ts'
import {LIMITS} from './limits.ts'
import {lists} from './lists.ts'
import {sandbox} from './sandbox.ts'
import {startup} from './startup.ts'
import {webhook} from './webhook.ts'

const PAGE = fileURLToPath(new URL('RESULTS.md', import.meta.url))

/** What no run can tell stands from this heading on, written by hand. */
const BY_HAND = '## What was tried'

function writePage(text: string): void {
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(PAGE, `${text}\n${page.slice(page.indexOf(BY_HAND))}`)
}

// The benchmarks measure the build.
buildIfStale()
process.exitCode = await bench(process.argv.slice(2), {
  suites: [startup, sandbox, webhook, bulk, lists],
  limits: LIMITS,
  now: () => new Date(),
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
  writePage,
})
