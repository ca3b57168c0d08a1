// The package as npm would publish it: its entries for other people's code, with their types.
import {spawnSync} from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import runtimes from '../../bin/runtimes.json' with {type: 'json'}
import pjson from '../../package.json' with {type: 'json'}
import {makeNpmPackage} from '../../tools/package/packed-files.ts'
import {TSC} from '../../tools/run.ts'
import {linksOf} from '../docs/pages.ts'
import {contractText} from '../helpers/contract.ts'
import {isWhole} from '../helpers/whole.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let consumer = ''

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'cardctl-consumer-'))
  const packed = exec('npm', ['pack', '--ignore-scripts', '--pack-destination', consumer], ROOT)
  expect(packed.code, packed.output).toBe(0)
  const archive = readdirSync(consumer).find(name => name.endsWith('.tgz')) ?? ''
  const line = documented('npm install --global ./')
  expect(line).toContain(archive)
  const installed = exec('sh', ['-c', line])
  expect(installed.code, installed.output).toBe(0)
  const modules = join(consumer, 'node_modules')
  mkdirSync(modules)
  symlinkSync(installation(), join(modules, 'cardctl'))
  // No other package of ours: its declarations must not need any.
  mkdirSync(join(modules, '@types'))
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(modules, '@types/node'))
  writeFileSync(join(consumer, 'package.json'), '{"type": "module"}')
})

/** Where npm installs programs for everybody, empty before. */
const prefix = (): string => join(consumer, 'prefix')
const installation = (): string => join(prefix(), 'lib/node_modules/cardctl')

afterAll(() => rm(consumer, {recursive: true, force: true}))

/** The line of docs/installation.md that begins with these words. */
const documented = (words: string): string =>
  readFileSync(join(ROOT, 'docs/installation.md'), 'utf8')
    .split('\n')
    .find(line => line.startsWith(words)) ?? 'false'

function exec(command: string, args: readonly string[], cwd = consumer) {
  const settings = {
    prefix: prefix(),
    audit: 'false',
    fund: 'false',
    prefer_offline: 'true',
    ignore_scripts: 'true',
  }
  const npm = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value]),
  )
  const env = {...process.env, ...(command === 'sh' ? npm : {})}
  const {status, stdout, stderr, error} = spawnSync(command, args, {cwd, env, encoding: 'utf8'})
  return {code: status, output: `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`}
}

/** The code of a guide that imports an entry, and what its `console.log(…) // words` say they print. */
function examplesOf(guide: string): {name: string; code: string; prints: string[]}[] {
  const text = readFileSync(join(ROOT, 'docs', guide), 'utf8')
  return [...text.matchAll(/^```(js|ts)\n(.*?)^```/gms)]
    .filter(([, , code = '']) => code.includes("from 'cardctl/"))
    .map(([, language, code = ''], at) => ({
      name: `${guide.replace('.md', '')}-${at}.m${language}`,
      code,
      prints: [...code.matchAll(/console\.log\(.*\/\/ (\S+)$/gm)].map(([, word = '']) => word),
    }))
}

// A fragment that goes on from values of the reader's own prints nothing.
const examples = ['sandbox.md', 'typescript.md'].flatMap(examplesOf).filter(({prints}) => prints.length > 0)

test('npm itself does not pack a clone, and says what does', () => {
  expect(exec('npm', ['pack', '--pack-destination', consumer], ROOT)).toMatchObject({
    code: 1,
    output: expect.stringContaining('npx node tools/package.ts --platform npm'),
  })
})

test('an installation is small, and its command runs', () => {
  const files = globSync('**/*', {cwd: installation()}).map(path => statSync(join(installation(), path)))
  const packages = globSync('node_modules/{*,@*/*}/package.json', {cwd: installation()})
  expect(files.reduce((sum, file) => sum + file.size, 0)).toBeLessThan(18_500_000)
  expect(packages.length + 1).toBeLessThanOrEqual(5)
  const env = {PATH: process.env.PATH, HOME: consumer, CARDCTL_PROFILE: 'sandbox'}
  const program = join(prefix(), 'bin/cardctl')
  const {stdout, stderr} = spawnSync(process.execPath, [program, 'cards', 'get', '3001', '-o', 'json'], {
    env,
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout || '{}'), stderr).toMatchObject({id: '3001'})
})

test('there are examples of all entries', () => {
  expect(examples.length).toBeGreaterThanOrEqual(4)
})

test.each(examples)('the documented example $name prints what it says', ({name, code, prints}) => {
  writeFileSync(join(consumer, name), code)
  const {code: exit, output} = exec(process.execPath, ['--disable-warning=ExperimentalWarning', name])
  expect(exit, output).toBe(0)
  const printed = output.trimEnd().split('\n')
  expect(printed).toEqual(expect.arrayContaining(prints))
})

test('the documented tests for vitest pass', () => {
  const guide = readFileSync(join(ROOT, 'docs/typescript.md'), 'utf8')
  const [, code = ''] = /^```ts\n(import .*?from 'vitest'.*?)^```/ms.exec(guide) ?? []
  const folder = join(consumer, 'with-vitest')
  mkdirSync(join(folder, 'node_modules'), {recursive: true})
  for (const name of ['vitest', 'cardctl']) {
    const from = name === 'cardctl' ? installation() : join(ROOT, 'node_modules/vitest')
    symlinkSync(from, join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'endpoint.test.ts'), code)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const {code: exit, output} = exec(process.execPath, [vitest, 'run', '--root', folder], folder)
  expect(exit, output).toBe(0)
  expect(output).toMatch(/Tests .*28 passed/)
})

const TYPED = `
import {type EncodePinBlockInput, encodePinBlock, Failure, keyCheckValue, Secret} from 'cardctl/card-crypto'
import {createSandbox, type PlainResponse, type Purchase, type Sandbox, type SandboxOptions} from 'cardctl/sandbox'
import {type AuthAnswer, type AuthCall, approve, type Judgement, judgeAnswer, scenarioCall} from 'cardctl/webhook'

const input: EncodePinBlockInput = {format: 0, pin: Buffer.from('1234'), pan: '4111111111111111'}
const block: Secret<Buffer> = encodePinBlock(input)
const check: string = keyCheckValue(block.open(), {method: 'tdes'})

// @ts-expect-error A format that is none.
encodePinBlock({format: 7, pin: Buffer.from('1234')})
// @ts-expect-error A PIN as a string can't be wiped.
encodePinBlock({format: 1, pin: '1234'})

const options: SandboxOptions = {now: () => 0, rateLimit: [{count: 50, windowMs: 1000}]}
const sandbox: Sandbox = await createSandbox(options)
// @ts-expect-error No such option.
await createSandbox({speed: 2})
const reply: PlainResponse = await sandbox.handle({
  method: 'GET',
  url: '/v4/3001?auditUser=test',
  headers: {},
  body: new Uint8Array(),
})
const status: number = reply.status
const failed: string = new Failure('NOT_FOUND', {message: 'none'}).code
const call: AuthCall = scenarioCall('fuel', {amount: '80'})
// @ts-expect-error An amount is text, so that no digit is lost.
scenarioCall('fuel', {amount: 80})
const answer: AuthAnswer = approve()
// @ts-expect-error A decision needs a code.
const without: AuthAnswer = {transactionData: {}}
const judged: Judgement = await judgeAnswer(call, answer)
const asked = await createSandbox({webhook: {handler: ({card}) => (card.cardId === '3001' ? answer : without)}})
const purchase: Purchase = {cardId: '3001', scenario: 'hotel'}
const code: string | null = (await asked.authorise(purchase)).responseCode
const paths: string[] = asked.calls.map(({path}) => path)
export {check, code, failed, judged, paths, status}
`

test.each([
  ['--module nodenext', ['typed.ts', 'typed.cts']],
  // The declarations themselves are checked by the first.
  ['--module esnext --moduleResolution bundler --skipLibCheck', ['typed.ts']],
])('the types of all entries compile in another strict project with %s', (module, files) => {
  // CommonJS has no await at the top.
  const [imports = '', body = ''] = TYPED.split(/\n\n(.*)/s)
  const inside = `${imports}\nexport const run = async () => {\n${body.replace(/^export .*$/m, '')}}\n`
  for (const file of files) writeFileSync(join(consumer, file), file.endsWith('.cts') ? inside : TYPED)
  const options = `--noEmit --strict ${module} --target es2024 --types node --lib es2024,esnext.disposable`
  const {code, output} = exec(process.execPath, [join(ROOT, TSC), ...options.split(' '), ...files])
  expect(code, output).toBe(0)
})

test('no page that is packed links to one that is not', () => {
  const packed = installation()
  const pages = globSync('{*.md,docs/**/*.md}', {cwd: packed})
  expect(pages.length).toBeGreaterThan(20)
  const dead = pages.flatMap(path =>
    linksOf({path, text: readFileSync(join(packed, path), 'utf8')})
      .filter(({target}) => target !== '' && !existsSync(join(packed, dirname(path), target)))
      .map(({target}) => `${path}: ${target}`),
  )
  expect(dead).toEqual([])
})

test('the package exports its contract, same as the sources', () => {
  const {code, output} = exec(process.execPath, [
    join(consumer, 'node_modules/cardctl/bin/run.js'),
    'contract',
    'export',
  ])
  expect({code, output}).toEqual({
    code: 0,
    output: contractText,
  })
})

test('nothing else can be imported, and no sources or tests are packed', () => {
  const {code, output} = exec(process.execPath, ['-e', "import('cardctl/dist/cli/cardctl.cjs')"])
  expect(code).not.toBe(0)
  expect(output).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  const top = readdirSync(join(consumer, 'node_modules/cardctl')).filter(name => name !== 'node_modules')
  const expected =
    'CHANGELOG.md CONTRIBUTING.md LICENSE README.md THIRD-PARTY-NOTICES.md bin dist docs examples man oclif.manifest.json package.json src'
  expect(top.sort()).toEqual(expected.split(' ').sort())
  expect(readdirSync(join(consumer, 'node_modules/cardctl/src'))).toEqual(['README.md'])
})

test.runIf(isWhole)('the released package names the runtime of each platform, for an older Node.js', () => {
  const [scratch, out] = ['scratch', 'released'].map(name => join(consumer, name)) as [string, string]
  mkdirSync(out)
  makeNpmPackage(scratch, out)
  const archive = join(out, readdirSync(out)[0] ?? '')
  const manifest = JSON.parse(exec('tar', ['-xzOf', archive, 'package/package.json']).output)
  expect(manifest.engines).toEqual({node: '>=18.0.0'})
  const version = pjson.devDependencies.node
  expect(manifest.optionalDependencies).toEqual(
    Object.fromEntries(Object.values(runtimes).map(name => [name, version])),
  )
})

// The last one: nothing is left to test after it.
test('npm removes it by the command of the page', () => {
  const removed = exec('sh', ['-c', documented('npm uninstall --global')])
  expect(removed.code, removed.output).toBe(0)
  expect(globSync('**/cardctl*', {cwd: prefix()})).toEqual([])
})
