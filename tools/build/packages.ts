// Bundles every package that the program uses into one file, which is read on first use.
import {readFile} from 'node:fs/promises'
import {build, type Metafile, type Plugin} from 'esbuild'
import {withLazyRequires} from './lazy-modules.ts'

/**
 * Installed with the program: native code, which finds its own parts, and code whose licence requires unchanged files. Or
 * installed by the user: the API of OpenTelemetry.
 */
const INSTALLED = ['@napi-rs/keyring', '@jmespath-community/jmespath', '@opentelemetry/api']

/**
 * Optional packages that are looked up only for TypeScript commands of a user or an old module loader. cardctl has
 * neither.
 */
const NEVER = /^(?:typescript|ts-node|tsx|pnpapi)$/

const nameOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
/** The file of a package; ajv-formats is in that of ajv. */
const fileOf = (name: string): string =>
  `${name.replace('@', '').replace('/', '-').replace('ajv-formats', 'ajv')}.cjs`

/** Collects the imports of packages in the program, and redirects each to the package's file. */
export function packagesApart(folder: string): {
  plugin: Plugin
  used: ReadonlyMap<string, ReadonlySet<string>>
} {
  const used = new Map<string, Set<string>>()
  const plugin: Plugin = {
    name: 'packages-apart',
    setup({onResolve, onLoad}) {
      onResolve({filter: /^[^./]/}, ({path, kind, namespace}) => {
        if (kind === 'entry-point' || namespace === 'package') return undefined
        if (path.startsWith('node:') || INSTALLED.includes(path)) return {path, external: true}
        const name = nameOf(path)
        used.set(name, (used.get(name) ?? new Set()).add(path))
        return {path, namespace: 'package'}
      })
      onLoad({filter: /.*/, namespace: 'package'}, ({path}) => ({
        contents: `module.exports = require(${JSON.stringify(`${folder}/${fileOf(nameOf(path))}`)})[${JSON.stringify(path)}]`,
        resolveDir: '.',
      }))
      onResolve({filter: /.*/, namespace: 'package'}, ({path}) => ({path, external: true}))
    },
  }
  return {plugin, used}
}

/** Bundles each package on its own, with getters for its imports. */
export async function bundlePackages(
  used: ReadonlyMap<string, ReadonlySet<string>>,
  outdir: string,
): Promise<Metafile[]> {
  // esbuild looks at imports in parallel: their order here depends on the load of the machine.
  const specifiers = [...used.values()].flatMap(each => [...each]).sort()
  const files = Map.groupBy(specifiers, specifier => fileOf(nameOf(specifier)))
  return Promise.all([...files].map(([file, paths]) => bundlePackage(`${outdir}/${file}`, paths)))
}

async function bundlePackage(outfile: string, specifiers: readonly string[]): Promise<Metafile> {
  const getters = specifiers.map(path => {
    const [name, source] = [path, `ns:${path}`].map(text => JSON.stringify(text))
    return `get ${name}() { return require(${source}).ns }`
  })
  const {metafile} = await build({
    stdin: {contents: `module.exports = {${getters.join(', ')}}`, resolveDir: '.', loader: 'js'},
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    define: {'import.meta.url': '__filename'},
    plugins: [asNodeDoes, withoutUnused, lazyPackages],
  })
  return metafile
}

/** The namespace that Node.js would give an ES module that imports it. */
const asNodeDoes: Plugin = {
  name: 'as-node-does',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^ns:/}, ({path}) => ({path: `${path.slice(3)}.mjs`, namespace: 'ns'}))
    onLoad({filter: /.*/, namespace: 'ns'}, ({path}) => ({
      contents: `import * as ns from ${JSON.stringify(path.slice(0, -4))}; export {ns}`,
      resolveDir: '.',
    }))
  },
}

/** Left out: what is looked up for others, and the editor of a prompt that cardctl doesn't use, with tables of encodings. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^@inquirer\/external-editor$/}, ({path}) => ({path, namespace: 'unused'}))
    onLoad({filter: /.*/, namespace: 'unused'}, ({path}) => ({
      contents: `export function editAsync() { throw new Error(${JSON.stringify(`${path} is not part of cardctl`)}) }`,
    }))
    onResolve({filter: NEVER}, ({path}) => ({path, namespace: 'never'}))
    onLoad({filter: /.*/, namespace: 'never'}, ({path}) => ({
      contents: `throw Object.assign(new Error(${JSON.stringify(`${path} is not part of cardctl`)}), {code: 'MODULE_NOT_FOUND'})`,
    }))
  },
}

/** Makes packages load their modules on first use where a run needs few of them. */
const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup({onLoad}) {
    onLoad({filter: /\/@oclif\/core\/lib\/.*\.js$/}, async ({path}) => ({
      contents: withLazyRequires(await readFile(path, 'utf8')),
      loader: 'js',
    }))
    // HTTP/2 is never used, and loads node:http2.
    onLoad({filter: /\/undici\/lib\/dispatcher\/client\.js$/}, async ({path}) => {
      const text = await readFile(path, 'utf8')
      const eager = "const connectH2 = require('./client-h2.js')"
      if (!text.includes(eager)) throw new Error(`${path} no longer loads HTTP/2 in the known way`)
      const lazy = "const connectH2 = (...args) => require('./client-h2.js')(...args)"
      return {contents: text.replace(eager, lazy), loader: 'js'}
    })
  },
}
