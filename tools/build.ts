// Builds dist/: commands and public entries with shared chunks, type declarations, and the oclif manifest.
import {copyFileSync, globSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import process from 'node:process'
import {build, type Plugin} from 'esbuild'
import {CONTRACT, ensureGenerated} from './contract/generated.ts'
import {run} from './run.ts'

/** Bundled, because the checks of imported contracts load in a third of the time as one file. */
const BUNDLED = /^(?:ajv|ajv-formats|fast-deep-equal|fast-uri|json-schema-traverse)(?:\/|$)/

const packagesButAjv: Plugin = {
  name: 'packages-but-ajv',
  setup({onResolve}) {
    // Our own paths begin with a dot; entry points are absolute.
    onResolve({filter: /^[^./]/}, ({path, kind}) =>
      kind === 'entry-point' || BUNDLED.test(path) ? undefined : {path, external: true},
    )
  },
}

ensureGenerated()
rmSync('dist', {recursive: true, force: true})
rmSync('oclif.manifest.json', {force: true})

const result = await build({
  entryPoints: [
    'src/cli/start.ts',
    'src/cli/before-start.ts',
    'src/cli/help.ts',
    'src/card-crypto/index.ts',
    'src/sandbox/index.ts',
    ...globSync('src/commands/**/*.ts', {exclude: ['**/shared/**']}).sort(),
  ],
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  plugins: [packagesButAjv],
  chunkNames: 'shared/[name]-[hash]',
  metafile: true,
  logLevel: 'warning',
})
mkdirSync('.reports', {recursive: true})
writeFileSync('.reports/meta.json', JSON.stringify(result.metafile))

// The inspector page is for browsers: one script and one style sheet, readable as they are.
const page = 'src/webhook/page/client'
await build({
  entryPoints: [`${page}/main.tsx`, `${page}/page.css`],
  entryNames: 'page',
  outdir: 'dist/inspector',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
})
for (const file of ['index.html', 'refused.html', 'icon.svg']) {
  copyFileSync(`${page}/${file}`, `dist/inspector/${file}`)
}

mkdirSync('dist/contract', {recursive: true})
copyFileSync(CONTRACT, 'dist/contract/openapi.yaml')

for (const [command, ...args] of [
  ['tsc', '-p', 'tsconfig.types.json'],
  ['oclif', 'manifest', '.'],
] as const) {
  const {code, output} = run(command, args, {quiet: true})
  if (code !== 0) {
    process.stderr.write(output)
    process.exit(1)
  }
}
