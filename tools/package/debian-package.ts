import {execFileSync} from 'node:child_process'
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {gzipSync} from 'node:zlib'
import pjson from '../../package.json' with {type: 'json'}
import {scripts} from '../../src/cli/completion/scripts.ts'
import {digestOf} from './digest.ts'
import {type ArchiveOptions, settleModes} from './tarball.ts'

/** As Debian's own tools name whoever builds. */
const {DEBFULLNAME = 'The cardctl maintainers', DEBEMAIL = 'maintainers@cardctl.invalid'} = process.env
const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`

/**
 * Makes a Debian package of a tree that has the program in usr/lib/cardctl.
 *
 * @param architecture as Debian calls it
 * @returns the path of the package in the folder `out`
 */
export function makeDebianPackage(
  tree: string,
  out: string,
  architecture: string,
  {date, fast}: ArchiveOptions,
): string {
  const program = join(tree, 'usr/lib/cardctl')
  const doc = join(tree, 'usr/share/doc/cardctl')
  mkdirSync(join(tree, 'usr/bin'), {recursive: true})
  renameSync(join(program, 'cardctl'), join(tree, 'usr/bin/cardctl'))
  layManPages(join(program, 'man'), join(tree, 'usr/share/man/man1'))
  layCompletion(join(tree, 'usr/share'))
  put(join(doc, 'copyright'), copyrightOf(program))
  put(join(doc, 'changelog.gz'), gzipSync(changelog(date), {level: 9}))
  put(join(tree, 'usr/share/lintian/overrides/cardctl'), OVERRIDES)
  // Everything else for people goes where Debian has such files. The program finds its schemas and suites by these links.
  for (const name of ['docs', 'examples', 'src', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'])
    renameSync(join(program, name), join(doc, name))
  for (const name of ['docs', 'examples']) symlinkSync(`../../share/doc/cardctl/${name}`, join(program, name))
  for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.md']) rmSync(join(program, name))
  put(join(tree, 'DEBIAN/control'), control(tree, architecture))
  put(join(tree, 'DEBIAN/md5sums'), checksums(tree))
  settleModes(tree)
  settleTimes(tree, date)
  const archive = join(out, `cardctl_${pjson.version}_${architecture}.deb`)
  execFileSync('dpkg-deb', [...compression(fast), '--root-owner-group', '--build', tree, archive], {
    env: {...process.env, SOURCE_DATE_EPOCH: `${date}`},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return archive
}

const compression = (fast: boolean): string[] => (fast ? ['-Znone'] : ['-Zxz', '-z6'])

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, content)
}

function layManPages(from: string, to: string): void {
  for (const name of readdirSync(from))
    put(join(to, `${name}.gz`), gzipSync(readFileSync(join(from, name)), {level: 9}))
  rmSync(from, {recursive: true})
}

/** Where each shell looks for what packages bring. */
function layCompletion(share: string): void {
  put(join(share, 'bash-completion/completions/cardctl'), scripts.bash)
  put(join(share, 'zsh/vendor-completions/_cardctl'), scripts.zsh)
  put(join(share, 'fish/vendor_completions.d/cardctl.fish'), scripts.fish)
}

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html. The libraries are those that the runtime is linked with. */
function control(tree: string, architecture: string): string {
  const files = globSync('usr/**/*', {cwd: tree}).map(path => statSync(join(tree, path)))
  const kibibytes = files.reduce((sum, file) => sum + Math.ceil(file.size / 1024), 0)
  return `Package: cardctl
Version: ${pjson.version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kibibytes}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6
Section: utils
Priority: optional
Description: administer a card issuing and payment service
 Cards, PINs, accounts, price lists, batch transfers, mobile wallets and remote
 checkout from the terminal. The package has the whole service inside as an
 embedded sandbox, and its own Node.js runtime.
`
}

function checksums(tree: string): string {
  const files = globSync('usr/**/*', {cwd: tree, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(tree.length + 1))
  return files
    .sort()
    .map(path => `${digestOf(join(tree, path), 'md5')}  ${path}\n`)
    .join('')
}

const changelog = (date: number): string => `cardctl (${pjson.version}) stable; urgency=medium

  * Version ${pjson.version}.

 -- ${MAINTAINER}  ${new Date(date * 1000).toUTCString().replace('GMT', '+0000')}
`

/** What Debian asks of its own archive, and why this package differs. */
const OVERRIDES = `# The runtime is the binary that nodejs.org publishes, with its checksum, libraries and build options.
cardctl: unstripped-binary-or-object [usr/lib/cardctl/runtime/node]
cardctl: embedded-library * [usr/lib/cardctl/runtime/node]
cardctl: hardening-no-pie [usr/lib/cardctl/runtime/node]
# The runtime beside them reads these.
cardctl: script-not-executable *
# The package is also for systems without /usr/share/common-licenses.
cardctl: copyright-file-contains-full-gpl-license
cardctl: copyright-file-contains-full-apache-2-license
cardctl: old-fsf-address-in-copyright-file
`

/** Every licence of what is in the package, in full. */
function copyrightOf(program: string): string {
  const read = (path: string): string =>
    readFileSync(join(program, path), 'utf8').replaceAll('\r\n', '\n').trim()
  const installed = globSync('node_modules/**/LICEN[CS]E*', {cwd: program}).sort()
  const parts = [
    ['cardctl', read('LICENSE')],
    ['Node.js, in /usr/lib/cardctl/runtime', read('runtime/LICENSE')],
    ...installed.map(path => [dirname(path), read(path)]),
    ['Packages in the files of cardctl', read('THIRD-PARTY-NOTICES.md')],
  ]
  return `${parts.map(([title = '', text = '']) => `${title}\n${'='.repeat(title.length)}\n\n${text}`).join('\n\n')}\n`
}

/** dpkg-deb itself only lowers what is newer than the date, such as links, which are made here. */
function settleTimes(path: string, date: number): void {
  for (const entry of readdirSync(path, {withFileTypes: true, recursive: true}))
    if (!entry.isSymbolicLink()) utimesSync(join(entry.parentPath, entry.name), date, date)
  utimesSync(path, date, date)
}
