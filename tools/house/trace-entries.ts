// A preload for the sources: each function of src/ notes its file and its name when it is entered. When the process ends,
// they go to the file that HOUSE_TRACE names, in their order, one entry for each line.
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
  houseEntry(entry: string) {
    if (!isEvaluating) entered.push(entry)
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
  const added: {readonly at: number; readonly text: string}[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.ConciseBody
      const call = `houseEntry(${JSON.stringify(`${file}\t${nameOf(node)}`)})`
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

/** Its name, or that of what encloses it. */
function nameOf(node: ts.Node): string {
  const holders = [ts.isVariableDeclaration, ts.isPropertyAssignment, ts.isPropertyDeclaration]
  const isNamed = (one: ts.Node): one is ts.NamedDeclaration =>
    ts.isFunctionLike(one) || holders.some(is => is(one))
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isConstructorDeclaration(at)) return 'constructor'
    if (isNamed(at) && at.name !== undefined) return at.name.getText()
  }
  return ''
}

/** In a constructor of a derived class, nothing stands before `super()`. */
function startOf({statements}: ts.Block): number {
  const isSuper = (one: ts.Statement) =>
    ts.isExpressionStatement(one) &&
    ts.isCallExpression(one.expression) &&
    one.expression.expression.kind === ts.SyntaxKind.SuperKeyword
  return statements.find(isSuper)?.end ?? statements.pos
}
