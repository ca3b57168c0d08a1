// Which file of the build a module of ours is in. Node.js reads a file as a whole, so what most runs don't need is apart.
import type {Metafile, Plugin} from 'esbuild'
import {numberOf, OUR_IMPORT, sourcePath} from './lazy-modules.ts'

/** What starts, reads and writes by single requests. */
const START =
  /^src\/(?:audit|children|cli|clock|contract|errors|files|http|input|journal|limits|money|network|output|policy|profiles|sensitive|sqlite)\/|^src\/commands\/(?:index\.ts|(?:accounts|cards|customers|history|profiles|requests|whoami)[/.])/

export const PARTS = ['cardctl', 'sandbox', 'more'] as const
export type Part = (typeof PARTS)[number]

const partOf = (path: string): Part =>
  path.startsWith('src/sandbox/') ? 'sandbox' : START.test(path) ? 'cardctl' : 'more'

const OURS = 'lazy:'
const pathOf = (input: string): string => input.slice(OURS.length)

/** The modules of a part that modules of other parts import. @param whole the metadata of one bundle of all */
export function exportsOf(part: Part, whole: Metafile): readonly string[] {
  const wanted = Object.entries(whole.inputs).flatMap(([input, {imports}]) =>
    imports.filter(
      ({path}) =>
        path.startsWith(OURS) &&
        partOf(pathOf(path)) === part &&
        !(input.startsWith(OURS) && partOf(pathOf(input)) === part),
    ),
  )
  return [...new Set(wanted.map(({path}) => pathOf(path)))].sort()
}

/** The code of a part's entry that hands its modules to the other parts. */
export const handingOut = (paths: readonly string[]): string => `
exports.modulesThatRan = () => __ran
exports.modules = {${paths.map(path => `${numberOf(path)}: () => require('./${path}')`).join(',')}}
`

/** Takes each module of another part from that part's file. */
export const otherParts = (part: Part): Plugin => ({
  name: 'other-parts',
  setup({onLoad, onResolve}) {
    onResolve({filter: OUR_IMPORT}, ({path, resolveDir}) => {
      const imported = sourcePath(resolveDir, path)
      return partOf(imported) === part ? undefined : {path: imported, namespace: 'other-part'}
    })
    onLoad({filter: /./, namespace: 'other-part'}, ({path}) => ({
      contents: `module.exports = require('./${partOf(path)}.cjs').modules[${numberOf(path)}]()`,
    }))
    onResolve({filter: /./, namespace: 'other-part'}, ({path}) => ({path, external: true}))
  },
})
