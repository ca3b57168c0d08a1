// Turns our modules into ones that run on first use: `import {a} from './b.ts'` becomes a function call that loads b
// where a is first needed. A start then runs only the modules that it needs, without a list of them anywhere.
import {globSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, relative, resolve} from 'node:path'
import {type Plugin, transform} from 'esbuild'

/** Code before the bundle: functions that the converted modules call, and the numbers of the modules that have run. */
export const RUNTIME = `const __ran = []
const __define = (exports, getters, number) => {
  __ran.push(number)
  Object.defineProperty(exports, '__esModule', {value: true})
  for (const name in getters) Object.defineProperty(exports, name, {get: getters[name], enumerable: true})
}
const __url = require('node:url').pathToFileURL(__filename).href
`

/**
 * Marks modules that are loaded by `import()`, so that tools/check-closure.ts can tell them from modules that are
 * needed at once.
 */
export const LAZY_SUFFIX = '?lazy'

/** How one of our modules imports another. */
export const OUR_IMPORT = /^\.\.?\/.*\.ts$/

/** The path of an imported module, such as `src/http/sender.ts`. */
export const sourcePath = (resolveDir: string, path: string): string =>
  relative('.', resolve(resolveDir, path))

/** @param tellsRuns whether the bundle tells which of its modules have run. */
export const lazyModules = (tellsRuns: boolean): Plugin => ({
  name: 'lazy-modules',
  setup({onResolve, onLoad, resolve: resolveAgain}) {
    onResolve({filter: /\?lazy$/}, ({path, ...from}) =>
      resolveAgain(path.slice(0, -LAZY_SUFFIX.length), from),
    )
    // Use our own namespace: in esbuild's, package.json would make them ES modules again.
    onResolve({filter: OUR_IMPORT}, ({path, resolveDir}) => ({
      path: sourcePath(resolveDir, path),
      namespace: 'lazy',
    }))
    onLoad({filter: /.*/, namespace: 'lazy'}, async ({path}) => ({
      contents: await convert(await readFile(path, 'utf8'), path, tellsRuns),
      loader: 'js',
      resolveDir: resolve(dirname(path)),
    }))
  },
})

/** The same in every build of the same sources. */
const numbers = new Map(
  globSync('src/**/*.{ts,tsx,js}')
    .sort()
    .map((path, number) => [path, number]),
)

/** The number of a module in `__ran`. */
export const numberOf = (path: string): number | undefined => numbers.get(path)

async function convert(source: string, path: string, tellsRuns: boolean): Promise<string> {
  const {code} = await transform(source, {
    loader: 'ts',
    format: 'cjs',
    target: 'node24',
    platform: 'node',
    supported: {using: true},
    sourcefile: path,
    define: {'import.meta.url': '__url', 'import.meta.dirname': '__dirname'},
  })
  const body = withoutHelpers(code, path, tellsRuns)
    .replaceAll(
      /\bimport\(("[^"]+\.json)", \{ with: [^)]*\)/g,
      'Promise.resolve().then(() => ({default: require($1?lazy")}))',
    )
    .replaceAll(/\bimport\(("[^"]+)"\)/g, 'Promise.resolve().then(() => require($1?lazy"))')
  return withLazyRequires(body)
}

/** Removes the helpers that esbuild adds to every file it converts on its own. */
function withoutHelpers(code: string, path: string, tellsRuns: boolean): string {
  const helpers = /^var __\w+ = [\s\S]*?;\n(?=var (?!__)|$)/.exec(code)?.[0] ?? ''
  let body = code.slice(helpers.length)
  // A module that isn't an ES module is its own default export.
  for (const [, name = ''] of body.matchAll(
    /^var (\w+) = __toESM\(require\("(?:node:[^"]+|[^"]+\.json)"\)\);$/gm,
  ))
    body = body.replaceAll(`${name}.default`, name)
  body = body
    .replace(
      /^var \w+ = \{\};\n__export\(\w+, (\{[\s\S]*?\n\})\);\nmodule\.exports = __toCommonJS\(\w+\);\n/,
      `__define(exports, $1${tellsRuns ? `, ${numbers.get(path)}` : ''});\n`,
    )
    .replaceAll(/__toESM\((require\("[^"]+"\))(?:, 1)?\)/g, '$1')
    .replace(/\/\/ Annotate the CommonJS export names[\s\S]*$/, '')
  const helper = [...helpers.matchAll(/^var (__\w+)/gm)]
    .map(([, name]) => `${name}`)
    .find(name => body.includes(name))
  if (helper !== undefined) throw new Error(`${path}: the converted module still needs ${helper}`)
  return body
}

/** One line of a CommonJS module: `const x = require("y");`, maybe inside a call that TypeScript adds. */
const REQUIRE = /^(?:const|var) (\w+) = ((?:__import\w+\()?require\("[^"]+"\)\)?);$/gm

/** Moves each `require` of a module to where its result is first used. */
export function withLazyRequires(code: string): string {
  let converted = code
  for (const [line, name = '', load = ''] of code.matchAll(REQUIRE)) {
    const rest = converted.replace(line, '')
    // Not a field of another object, but possibly spread.
    const use = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}\\b`, 'g')
    const isObjectOnly = [...rest.matchAll(use)].every(({index}) => rest[index + name.length] === '.')
    // A name that is also used without a field may be a variable of the module.
    if (!isObjectOnly) continue
    converted = `${rest.replace(use, `(${name}())`)}\nvar ${name}_loaded; function ${name}() { return ${name}_loaded ??= ${load}; }`
  }
  return converted
}
