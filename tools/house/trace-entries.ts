// A preload for the sources: each function of src/ notes its file when it is entered. When the process ends, the files
// go to the file that HOUSE_TRACE names, in their order, one for each line.
import {writeFileSync} from 'node:fs'
import {registerHooks, stripTypeScriptTypes} from 'node:module'
import {join, relative} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')
const entered: string[] = []
/** What a module calls while it is evaluated doesn't count: in the build, modules that aren't needed never are. */
let isEvaluating = false

Object.assign(globalThis, {
  houseEntry(file: string) {
    if (!isEvaluating && file !== entered.at(-1)) entered.push(file)
  },
  houseModule(isNow: boolean) {
    isEvaluating = isNow
  },
})

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : ''
    if (!/^src\/.*\.ts$/.test(file)) return loaded
    const source = stripTypeScriptTypes(traced(file, String(loaded.source)))
    return {...loaded, format: 'module', source, shortCircuit: true}
  },
})

const target = process.env.HOUSE_TRACE
if (target !== undefined) process.on('exit', () => writeFileSync(target, `${entered.join('\n')}\n`))

/** The source with a call of `houseEntry` at the start of each function. */
function traced(file: string, source: string): string {
  const call = `houseEntry(${JSON.stringify(file)})`
  const added: {readonly at: number; readonly text: string}[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.ConciseBody
      if (ts.isBlock(body)) added.push({at: startOf(body), text: `;${call};`})
      else added.push({at: body.getStart(), text: `(${call}, `}, {at: body.end, text: ')'})
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
  added.sort((a, b) => b.at - a.at)
  const body = added.reduce((text, {at, text: more}) => text.slice(0, at) + more + text.slice(at), source)
  return `houseModule(true);${body}\n;houseModule(false);`
}

/** In a constructor of a derived class, nothing stands before `super()`. */
function startOf({statements}: ts.Block): number {
  const isSuper = (one: ts.Statement) =>
    ts.isExpressionStatement(one) &&
    ts.isCallExpression(one.expression) &&
    one.expression.expression.kind === ts.SyntaxKind.SuperKeyword
  return statements.find(isSuper)?.end ?? statements.pos
}
