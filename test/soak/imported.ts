// Each operation of a document, by its command, against a mock that was made from the document and checks what comes.
// The document is named: node test/soak/imported.ts FILE. Without one, the project's own documents are taken.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {contractFolder, StoredContract} from '../../src/imported/commands.ts'
import type {Schema} from '../../src/imported/index.ts'
import {readDocument} from '../../src/imported/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {installPrism} from '../helpers/prism.ts'
import {authFlags, lineOf} from './imported-lines.ts'

const OWN = ['shop-3.0.yaml', 'tree-3.1.json'].map(name =>
  fileURLToPath(new URL(`../fixtures/documents/${name}`, import.meta.url)),
)

const folder = await mkdtemp(join(tmpdir(), 'cardctl-soak-'))
let faults = 0

function complain(text: string): void {
  faults++
  process.stderr.write(`${text}\n`)
}

interface Mock {
  readonly url: string
  readonly lines: () => readonly string[]
  readonly child: ChildProcess
}

async function startMock(prism: string, document: string): Promise<Mock> {
  const port = await freePort()
  const child = spawn(process.execPath, [prism, 'mock', document, '--port', String(port)], {
    cwd: folder,
    env: {PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1'},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  for (let looks = 0; looks < 1800 && !/Prism is listening/.test(text); looks++) {
    if (child.exitCode !== null) throw new Error(`The mock ended:\n${text}`)
    await new Promise(done => setTimeout(done, 100))
  }
  return {url: `http://127.0.0.1:${port}`, lines: () => text.split('\n'), child}
}

const env = {SOAK_SECRET: 'soak-secret-1'}

async function soak(prism: string, document: string): Promise<void> {
  const {securitySchemes} = await readDocument({file: document})
  const mock = await startMock(prism, document)
  const home: Home = await openHome()
  try {
    await home.run(
      ['profiles', 'add', 'soak', '--base-url', mock.url, '--kind', 'test', ...authFlags(securitySchemes)],
      {env},
    )
    const imported = await home.run([
      'contract',
      'import',
      document,
      '--name',
      'soak',
      '-p',
      'soak',
      '-o',
      'json',
    ])
    if (imported.code !== 0) throw new Error(imported.stderr)
    const {faults: found} = JSON.parse(imported.stdout) as {faults: {consequence: string}[]}
    const data = join(home.folder, '.local/share/cardctl')
    using contract = new StoredContract(contractFolder(data, 'soak'), 'soak')
    const schemas = {get: (name: string) => contract.schema(name)} as unknown as ReadonlyMap<string, Schema>
    let calls = 0
    let differing = 0
    let operations = 0
    for (const tag of contract.tags) {
      for (const name of Object.keys(contract.tag(tag)?.operations ?? {})) {
        const operation = contract.operation(tag, name)
        if (operation === undefined) throw new Error(`${tag} ${name} is listed and not there`)
        operations++
        for (const everything of [false, true]) {
          const before = mock.lines().length
          const argv = await lineOf(operation, schemas, {everything, folder})
          const {code, stderr} = await home.run([...argv, '-p', 'soak', '--yes', '-o', 'json'], {env})
          calls++
          if (/differs? from the contract/.test(stderr)) differing++
          const logged = mock
            .lines()
            .slice(before)
            .filter(line => /Violation: request|UNPROCESSABLE|NO_PATH|UNAUTHORIZED|No route/i.test(line))
          if (code !== 0 || logged.length > 0)
            complain(`${argv.join(' ')} ended ${code}: ${stderr}${logged.join('\n')}`)
        }
      }
    }
    // A mock that sees nothing finds nothing.
    const unknown = await fetch(`${mock.url}/no-such-path-of-the-document`)
    if (!(await unknown.text()).includes('NO_PATH')) complain('The mock checks nothing.')
    process.stdout.write(
      `${document}: ${operations} operations, ${found.filter(({consequence}) => consequence === 'left out').length} left out, ` +
        `${calls} calls, ${faults} violations, ${differing} answers that differ from their own document\n`,
    )
  } finally {
    mock.child.kill('SIGTERM')
    if (mock.child.exitCode === null && mock.child.signalCode === null) await once(mock.child, 'exit')
    await home.remove()
  }
}

try {
  const named = process.argv.slice(2).map(file => resolve(file))
  const prism = process.env.SOAK_PRISM ?? installPrism(folder)
  for (const document of named.length > 0 ? named : OWN) await soak(prism, document)
} catch (error) {
  complain(error instanceof Error ? error.message : String(error))
} finally {
  await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
process.exitCode = faults > 0 ? 1 : 0
