// Builds dist/: the program and its public entries, one file for each package, type declarations, and the manifest.
import {createHash} from 'node:crypto'
import {copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import process from 'node:process'
import {type BuildOptions, build, type Metafile, type Plugin} from 'esbuild'
import pjson from '../package.json' with {type: 'json'}
import {commands} from '../src/commands/index.ts'
import {isStale, markFresh} from './build/freshness.ts'
import {lazyModules, RUNTIME} from './build/lazy-modules.ts'
import {writeNotices} from './build/notices.ts'
import {bundlePackages, packagesApart} from './build/packages.ts'
import {exportsOf, handingOut, otherParts, PARTS} from './build/parts.ts'
import {removeUnusedTypes} from './build/unused-types.ts'
import {CONTRACT, ensureGenerated} from './contract/generated.ts'
import {describeCommands} from './describe-commands.ts'
import {manPages} from './docs/man-pages.ts'
import {run, TSC} from './run.ts'

/** Keep names, so that stack traces are readable. */
const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  supported: {using: true},
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions

ensureGenerated()
if (process.argv.includes('--if-stale') && !isStale()) process.exit()
for (const folder of ['dist', 'man']) rmSync(folder, {recursive: true, force: true})
await describeCommands()
mkdirSync('man')
for (const [name, text] of manPages()) writeFileSync(`man/${name}`, text)

/** Large, and a command needs few of them: each is a file of its own, read on first use. */
const DATA = /\/(?:validators|schemas)\/[\w-]+\.gen\.js(?:on)?$/
const validators = globSync('src/contract/validators/*.gen.js').sort()
const schemas = globSync('src/contract/schemas/*.gen.json').sort()
const validatorBuilds: Metafile[] = []
for (const path of validators) {
  const {metafile} = await build({
    ...COMMON,
    minifyIdentifiers: true,
    entryPoints: [path],
    outfile: dataFile(path),
  })
  validatorBuilds.push(metafile)
}
mkdirSync('dist/schemas')
for (const path of schemas) copyFileSync(path, dataFile(path))

const apart = packagesApart('../packages')
const PROGRAM = `
  exports.start = settings =>
    require('./src/cli/start.ts').start({...settings, commands: require('./src/commands/index.ts').commands})
  exports.cardCrypto = () => require('./src/card-crypto/index.ts')
  exports.sandbox = () => require('./src/sandbox/index.ts')
  exports.webhook = () => require('./src/webhook/public/index.ts')
`
const bundled = (contents: string, plugins: readonly Plugin[] = []) =>
  build({
    ...COMMON,
    stdin: {contents, resolveDir: '.'},
    banner: {js: RUNTIME},
    plugins: [
      ...plugins,
      lazyModules(true),
      {
        name: 'data-apart',
        setup({onResolve}) {
          onResolve({filter: DATA}, ({path}) => ({
            path: `../${dataFile(path).slice('dist/'.length)}`,
            external: true,
          }))
        },
      },
      apart.plugin,
    ],
    write: false,
  })
const {metafile: whole} = await bundled(PROGRAM)
mkdirSync('dist/cli', {recursive: true})
for (const part of PARTS) {
  const handed = handingOut(exportsOf(part, whole))
  const {outputFiles} = await bundled(part === 'cardctl' ? PROGRAM + handed : handed, [otherParts(part)])
  writeFileSync(`dist/cli/${part}.cjs`, outputFiles[0]?.text ?? '')
}
// Completion runs at every press of a key: a file of its own is read faster than the whole program.
await build({
  ...COMMON,
  entryPoints: ['src/cli/completion/start.ts'],
  outfile: 'dist/cli/complete.cjs',
  banner: {js: RUNTIME},
  plugins: [lazyModules(false), apart.plugin],
})
const packages = await bundlePackages(apart.used, 'dist/packages')

const digest = createHash('sha256')
for (const path of globSync('dist/**/*.cjs').sort()) {
  const code = asAscii(readFileSync(path, 'utf8'))
  writeFileSync(path, code)
  digest.update(code)
}
await build({
  ...COMMON,
  entryPoints: ['src/cli/load-program.ts'],
  outfile: 'dist/cli/load-program.cjs',
  define: {
    COMMAND_IDS: JSON.stringify(Object.keys(commands)),
    BUILD_ID: JSON.stringify(digest.digest('hex').slice(0, 12)),
    VERSION: JSON.stringify(pjson.version),
  },
})

// The public entries are ES modules over the same file, so that each class exists once.
for (const [entry, getter, source] of [
  ['sandbox', 'sandbox', 'sandbox/index.ts'],
  ['card-crypto', 'cardCrypto', 'card-crypto/index.ts'],
  ['webhook', 'webhook', 'webhook/public/index.ts'],
] as const) {
  const names = Object.keys(await import(`../src/${source}`)).join(', ')
  mkdirSync(`dist/${entry}`)
  writeFileSync(
    `dist/${entry}/index.js`,
    `import '../../bin/library.js'\nimport cardctl from '../cli/cardctl.cjs'\nexport const {${names}} = cardctl.${getter}()\n`,
  )
}

// The inspector page is for browsers: one script and one style sheet, readable as they are.
const source = 'src/webhook/page/client'
const page = await build({
  entryPoints: [`${source}/main.tsx`, `${source}/page.css`],
  entryNames: 'page',
  outdir: 'dist/inspector',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  logLevel: 'warning',
})
for (const file of ['index.html', 'icon.svg']) copyFileSync(`${source}/${file}`, `dist/inspector/${file}`)

mkdirSync('dist/contract', {recursive: true})
copyFileSync(CONTRACT, 'dist/contract/openapi.yaml')

mkdirSync('.reports', {recursive: true})
writeFileSync('.reports/meta.json', JSON.stringify(whole))
writeFileSync(
  '.reports/packages.json',
  JSON.stringify(
    packages.flatMap(({inputs}) => Object.keys(inputs)),
    null,
    1,
  ),
)
writeNotices([...packages, ...validatorBuilds, page.metafile])

const {code, output} = run('node', [TSC, '-p', 'tsconfig.types.json'], {quiet: true})
if (code !== 0) {
  process.stderr.write(output)
  process.exit(1)
}
const {exports: entries} = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | {readonly types: string}>>
}
removeUnusedTypes(
  'dist/types',
  Object.values(entries).flatMap(entry => (typeof entry === 'string' ? [] : [entry.types])),
)
markFresh()

/**
 * V8 stores ASCII text in half the memory and compiles it faster. esbuild leaves other characters only in regular
 * expressions, where an escape means the same.
 */
function asAscii(code: string): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return code.replaceAll(/\P{ASCII}/gu, character => character.split('').map(escaped).join(''))
}

function dataFile(path: string): string {
  const [, folder, name, type] = /(\w+)\/([\w-]+)\.gen\.(\w+)$/.exec(path) ?? []
  return `dist/${folder}/${name}.${type === 'js' ? 'cjs' : type}`
}
