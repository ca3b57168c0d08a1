// Completes the folder of a release: adds the npm package and the bill of materials, writes SHA256SUMS over all files, and
// signs it with ssh-keygen. The key is a file, or a public key whose private key an agent holds; it is never copied.
import {execFileSync} from 'node:child_process'
import {copyFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import pjson from '../package.json' with {type: 'json'}
import {digestOf} from './package/digest.ts'

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
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out])
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
