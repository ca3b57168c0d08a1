// Writes src/commands/index.ts: the commands by their ids, which are the paths of their files.
import {globSync, readFileSync, writeFileSync} from 'node:fs'

const INDEX = 'src/commands/index.ts'

export function writeCommandIndex(): void {
  const files = globSync('**/*.ts', {cwd: 'src/commands', exclude: ['index.ts', '**/shared/**']})
  const ids = files.map(path => path.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ':')).sort()
  const lines = ids.map(id => {
    const name = /^\w+$/.test(id) ? id : `'${id}'`
    return `  ${name}: () => import('./${id.replaceAll(':', '/')}.ts'),\n`
  })
  const text = `import type {Commands} from '../cli/program.ts'

/** The id of a command is the path of its file. Written by npm run generate. */
export const commands: Commands = {
${lines.join('')}}
`
  if (readFileSync(INDEX, 'utf8') !== text) writeFileSync(INDEX, text)
}
