// Public documents, each operation by its command against a recorder: how many are imported, can be called by typing their
// required values, and send what the document says. Prints a table. CARDCTL_DOCUMENTS names the folder of the documents;
// with SOAK_PRISM, the script of Prism, that judges the requests as well.
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {contractFolder, StoredContract} from '../../src/imported/commands.ts'
import {type ImportedOperation, readDocument, type Schema} from '../../src/imported/index.ts'
import {openHome} from '../helpers/cli.ts'
import {freePort} from '../helpers/free-port.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {PUBLIC_DOCUMENTS, publicDocument} from '../imported/public-documents.ts'
import {authFlags, lineOf} from './imported-lines.ts'

const env = {SOAK_SECRET: 'soak-secret-1'}
/** Every how many operations Prism judges: it needs minutes for a large document. */
const EVERY = Number(process.env.SOAK_EVERY ?? '1')
const folder = await mkdtemp(join(tmpdir(), 'cardctl-soak-'))
const prism = process.env.SOAK_PRISM

/** What of a request is not as the document says. */
function wrongIn(
  {method, path, parameters, body}: ImportedOperation,
  sent: Service['requests'][number],
): string | undefined {
  const [target = '', query = ''] = sent.url.split('?', 2)
  const form = path
    .split('#', 1)[0]
    ?.split(/\{[^{}]+\}/)
    .map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  if (sent.method !== method) return `the method is ${sent.method}`
  if (!new RegExp(`^${form}$`).test(decodeURI(target))) return `the path is ${target}`
  const names = new Set([...new URLSearchParams(query).keys()].map(name => name.replace(/\[.*$/, '')))
  for (const {name, in: place, required, schema} of parameters) {
    const isThere =
      place === 'query'
        ? names.has(name.replace(/\[.*$/, ''))
        : place !== 'header' || name.toLowerCase() in sent.headers
    if (required && !isThere && (schema as {type?: unknown}).type !== 'object')
      return `${place} ${name} is missing`
  }
  if (body?.required && sent.body.length === 0) return 'the body is missing'
  if (sent.body.length === 0) return undefined
  const type = sent.headers['content-type']?.split(';', 1)[0]
  if (body === undefined) return 'it has a body'
  return type === body.mediaType.split(';', 1)[0] ? undefined : `the body is ${type}`
}

interface Mock {
  readonly url: string
  readonly lines: () => string
  readonly child: ChildProcess
}

async function startMock(script: string, document: string): Promise<Mock> {
  const port = await freePort()
  const child = spawn(process.execPath, [script, 'mock', document, '--port', String(port)], {
    cwd: folder,
    env: {PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1'},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  for (let looks = 0; looks < 3000 && !/Prism is listening/.test(text); looks++) {
    if (child.exitCode !== null) throw new Error(`The mock ended:\n${text.slice(-400)}`)
    await new Promise(done => setTimeout(done, 100))
  }
  return {url: `http://127.0.0.1:${port}`, lines: () => text, child}
}

interface Row {
  readonly document: string
  readonly operations: number
  readonly leftOut: number
  /** Their required values can be typed: none is a secret, and no body needs a file. */
  readonly typed: number
  /** The values that the soak makes up fit all others. */
  readonly sent: number
  readonly right: number
  readonly byPrism: string
}

async function soak(name: string, document: string): Promise<Row> {
  const {securitySchemes} = await readDocument({file: document})
  const service = await openService(() => reply(200, {}))
  const home = await openHome()
  const mock = prism === undefined ? undefined : await startMock(prism, document).catch(() => undefined)
  try {
    const add = (profile: string, url: string) =>
      home.run(
        ['profiles', 'add', profile, '--base-url', url, '--kind', 'test', ...authFlags(securitySchemes)],
        {env},
      )
    const bring = (profile: string) =>
      home.run(['contract', 'import', document, '--name', 'soak', '-p', profile, '-o', 'json'])
    await add('soak', service.url)
    const imported = await bring('soak')
    if (imported.code !== 0) throw new Error(imported.stderr)
    if (mock !== undefined) {
      await add('prism', mock.url)
      await bring('prism')
    }
    const {facts} = JSON.parse(imported.stdout) as {facts: {operations: number; leftOut: number}}
    using contract = new StoredContract(
      contractFolder(join(home.folder, '.local/share/cardctl'), 'soak'),
      'soak',
    )
    const schemas = {get: (one: string) => contract.schema(one)} as unknown as ReadonlyMap<string, Schema>
    const all = contract.tags.flatMap(tag =>
      Object.keys(contract.tag(tag)?.operations ?? {}).flatMap(one => contract.operation(tag, one) ?? []),
    )
    let [typed, sent, right, judged, passed, otherKey] = [0, 0, 0, 0, 0, 0]
    for (const [at, operation] of all.entries()) {
      if (isTyped(operation)) typed++
      const argv = await lineOf(operation, schemas, {everything: false, folder})
      const before = service.requests.length
      const {code, stderr} = await home.run([...argv, '-p', 'soak', '--yes', '-o', 'json'], {env})
      const request = service.requests[before]
      if (request !== undefined) sent++
      const wrong =
        request === undefined ? `nothing was sent: ${stderr.slice(0, 300)}` : wrongIn(operation, request)
      if (wrong === undefined) right++
      else process.stderr.write(`${name}: ${operation.method} ${operation.path} ended ${code}: ${wrong}\n`)
      if (mock === undefined || at % EVERY > 0) continue
      const read = mock.lines().length
      await home.run([...argv, '-p', 'prism', '--yes', '-o', 'json'], {env})
      // What was refused here never came there.
      if (request === undefined) continue
      const found = mock
        .lines()
        .slice(read)
        .split('\n')
        .find(line => /Violation: request|UNPROCESSABLE|NO_PATH|UNAUTHORIZED|No route/i.test(line))
      // The profile has one credential; the document wants another one for this operation.
      if (found?.includes('Invalid security scheme')) {
        otherKey++
        continue
      }
      judged++
      if (found === undefined) passed++
      else process.stderr.write(`${name}: ${argv.join(' ')}: ${found}\n`)
    }
    return {
      document: name,
      operations: facts.operations,
      leftOut: facts.leftOut,
      typed,
      sent,
      right,
      byPrism:
        mock === undefined
          ? '-'
          : `${passed} of ${judged}${otherKey === 0 ? '' : `, ${otherKey} want another credential`}`,
    }
  } finally {
    if (mock !== undefined) {
      mock.child.kill('SIGTERM')
      if (mock.child.exitCode === null && mock.child.signalCode === null) await once(mock.child, 'exit')
    }
    await service.close()
    await home.remove()
  }
}

const isTyped = ({parameters, body, sensitive}: ImportedOperation): boolean =>
  !parameters.some(one => one.required && one.sensitive) &&
  !(body?.required && (body.kind === 'other' || needsSecret(body.schema, sensitive.request)))

/** Whether a required field of the body is a secret, which is not typed. */
function needsSecret(schema: Schema | undefined, secret: readonly string[]): boolean {
  const {required = []} = (schema ?? {}) as {required?: readonly string[]}
  return required.some(name => secret.includes(`/${name}`))
}

const rows: Row[] = []
try {
  for (const name of Object.keys(PUBLIC_DOCUMENTS)) {
    const document = publicDocument(name)
    if (document === undefined)
      process.stdout.write(`${name}: skipped, CARDCTL_DOCUMENTS has no such document\n`)
    else {
      rows.push(await soak(name, document))
      process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
    }
  }
} finally {
  await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50})
}
process.stdout.write(
  '| document | operations | left out | callable by typing | sent | right | right for Prism |\n|---|---|---|---|---|---|---|\n',
)
for (const {document, operations, leftOut, typed, sent, right, byPrism} of rows)
  process.stdout.write(
    `| ${document} | ${operations} | ${leftOut} | ${typed} | ${sent} | ${right} | ${byPrism} |\n`,
  )
process.exitCode = rows.some(({right, sent}) => right < sent) ? 1 : 0
