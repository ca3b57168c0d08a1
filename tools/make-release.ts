// Makes all files of a release in an empty folder, without a signature: the packages, the image, the bill of materials,
// the lists of apt, the formula of Homebrew, the provenance and SHA256SUMS. The same commit always gives the same bytes. Needs a
// build, and what tools/package.ts needs; with a Debian package also apt-utils.
import {execFileSync} from 'node:child_process'
import {copyFileSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import pjson from '../package.json' with {type: 'json'}
import {makeAptRepository} from './package/apt-repository.ts'
import {digestOf} from './package/digest.ts'
import {homebrewFormula} from './package/homebrew-formula.ts'
import {PLATFORMS} from './package/platforms.ts'
import {provenanceOf} from './package/provenance.ts'
import {PROVENANCE, SUMS} from './package/release-names.ts'
import {sourceDate} from './package/source-date.ts'

const {values} = parseArgs({
  options: {
    platform: {type: 'string', multiple: true, default: [...Object.keys(PLATFORMS), 'npm', 'image']},
    out: {type: 'string', default: 'release'},
    fast: {type: 'boolean', default: false},
    // Of a copy of the sources without their history.
    commit: {type: 'string'},
  },
})
const {out, platform, fast} = values
const commit = values.commit ?? execFileSync('git', ['rev-parse', 'HEAD'], {encoding: 'utf8'}).trim()
const write = (name: string, text: string): void => writeFileSync(join(out, name), text)

mkdirSync(out, {recursive: true})
if (readdirSync(out).length > 0) throw new Error(`${out} is not empty: choose another folder with --out.`)
execFileSync(
  'node',
  [
    'tools/package.ts',
    ...platform.flatMap(name => ['--platform', name]),
    ...(fast ? ['--fast'] : []),
    '--out',
    out,
  ],
  {stdio: 'inherit'},
)
copyFileSync('dist/sbom.cdx.json', join(out, `cardctl-${pjson.version}.cdx.json`))
const made = digests()
const formula = homebrewFormula(made)
if (formula !== undefined) write('cardctl.rb', formula)
if (Object.keys(made).some(name => name.endsWith('.deb'))) makeAptRepository(out, sourceDate())
write(PROVENANCE, provenanceOf(made, commit, sourceDate()))
write(
  SUMS,
  Object.entries(digests())
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join(''),
)
process.stdout.write(
  `${join(out, SUMS)} lists everything. Compare it with that of another person, then sign it.\n`,
)

function digests(): Readonly<Record<string, string>> {
  const names = readdirSync(out).sort()
  return Object.fromEntries(names.map(name => [name, digestOf(join(out, name))]))
}
