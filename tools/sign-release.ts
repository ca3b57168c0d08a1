// Completes the folder of a release: adds the npm package and the bill of materials, writes SHA256SUMS over all files, and
// signs it with ssh-keygen. The key is a file, or a public key whose private key an agent holds; it is never copied.
import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import pjson from '../package.json' with {type: 'json'}
import {digestOf} from './package/digest.ts'
import {makeNpmPackage} from './package/packed-files.ts'

const SUMS = 'SHA256SUMS'
/** Keeps a signature from being taken for one of something else made with the same key. */
const NAMESPACE = 'cardctl-release'

const {values} = parseArgs({
  options: {
    out: {type: 'string', default: 'release'},
    key: {type: 'string'},
  },
})
const {out, key} = values
const sums = join(out, SUMS)

for (const name of [SUMS, `${SUMS}.sig`]) rmSync(join(out, name), {force: true})
const scratch = mkdtempSync(join(tmpdir(), 'cardctl-npm-'))
try {
  makeNpmPackage(scratch, resolve(out))
} finally {
  rmSync(scratch, {recursive: true, force: true})
}
copyFileSync('dist/sbom.cdx.json', join(out, `cardctl-${pjson.version}.cdx.json`))
const lines = readdirSync(out)
  .sort()
  .map(name => `${digestOf(join(out, name))}  ${name}\n`)
writeFileSync(sums, lines.join(''))
if (key === undefined) {
  process.stdout.write(`${sums} is not signed: pass --key.\n`)
} else {
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', NAMESPACE, '-f', key, sums])
  process.stdout.write(`${sums}.sig\n`)
}
