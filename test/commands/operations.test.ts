import {execFile} from 'node:child_process'
import {createHash} from 'node:crypto'
import {glob, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {checkResponseStrict} from '../../src/contract/validate.ts'
import outline from '../fixtures/operations.json' with {type: 'json'}
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'
import {operationCalls} from './operation-calls.ts'

const incoming = outline.filter(({direction}) => direction === 'incoming')

interface CommandClass {
  readonly claims?: readonly OperationId[]
}

const COMMANDS = join(import.meta.dirname, '../../src/commands')

/** Who claims an operation: command words by operation id. */
async function claims(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for await (const file of glob('**/*.ts', {cwd: COMMANDS, exclude: ['index.ts', '**/shared/**']})) {
    const {default: command} = (await import(join(COMMANDS, file))) as {default: CommandClass}
    const words = file.replace(/\.ts$/, '').replaceAll(/[/\\]/g, ' ')
    for (const id of command.claims ?? []) found.set(id, [...(found.get(id) ?? []), words])
  }
  return found
}

/** The bytes of everything below a folder, as one digest. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const entry of glob('**/*', {cwd: folder, withFileTypes: true})) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  }
  for (const file of files.sort()) hash.update(file).update(await readFile(file))
  return hash.digest('hex')
}

/** A path template of the outline as a pattern for real paths. */
const asPattern = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('/', '\\/')}$`)

/** The words that curl would be given by a shell. */
async function wordsOfCurl(line: string, variables: Record<string, string>): Promise<string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`
  const {stdout} = await promisify(execFile)('/bin/sh', ['-c', script], {env: variables})
  return stdout.split('\0').slice(0, -1)
}

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

describe('the operations of the outline', () => {
  it('are 45, and each has its call in this table', () => {
    expect(incoming).toHaveLength(45)
    expect(Object.keys(operationCalls).sort()).toEqual(incoming.map(({id}) => id).sort())
  })

  it('are claimed by exactly one command each, by the one that the outline names', async () => {
    const claimed = await claims()
    for (const {id, command} of incoming) {
      const [by, ...others] = claimed.get(id) ?? []
      expect(others, id).toEqual([])
      expect(`${command} `.startsWith(`${by} `), `${id}: ${command} is claimed by ${by}`).toBe(true)
    }
    // Extensions too: what the contract offers, a command reaches.
    const unclaimed = Object.keys(operations).filter(id => !claimed.has(id))
    expect(unclaimed).toEqual([])
  })
})

describe.each(incoming.map((one, at) => ({...one, at})))(
  '$id',
  ({id, at, method, path, deprecated, command}) => {
    const operation: Operation = operations[id as OperationId]
    const makeCall = async () => {
      const make = operationCalls[id]
      if (!make) throw new Error(`${id} has no call in the table`)
      const {argv, stdin, says} = await make(home)
      return {argv, says, options: stdin === undefined ? {} : {stdin}}
    }

    it('is reached by the flags that the outline names', async () => {
      const {argv} = await makeCall()
      const flags = command.match(/--[\w-]+/g) ?? []
      const named = flags.filter(flag => argv.includes(flag))
      // "--active|--no-active" and "--segment" are alternatives; every other flag is there.
      const alternatives = ['--active', '--no-active', '--segment']
      expect(flags.filter(flag => !named.includes(flag) && !alternatives.includes(flag))).toEqual([])
    })

    it('responses for a person', async () => {
      const {argv, says, options} = await makeCall()
      const {code, stdout, stderr} = await home.run(argv, options)
      expect(stderr).not.toContain('Error')
      expect(code).toBe(0)
      expect(stdout).toMatch(says)
      if (deprecated) expect(stderr).toContain(`${method} ${path} is deprecated`)
      else expect(stderr).not.toContain('deprecated')
    })

    it.runIf(isWhole || at % 3 === 1)('prints the response of the service as JSON', async () => {
      const {argv, options} = await makeCall()
      const {code, stdout, stderr} = await home.run([...argv, '-o', 'json'], options)
      expect(stderr).not.toContain('Error')
      expect(code).toBe(0)
      const printed: unknown = JSON.parse(stdout)
      // Transfers may need several batches, so the result is a list.
      // A list is its items, over as many pages as were asked for; the cursor between them isn't shown.
      const reply =
        operation.paging === 'cursor' && Array.isArray(printed)
          ? {size: 25, items: printed}
          : id === 'a2a.create.v1' && Array.isArray(printed)
            ? printed[0]
            : printed
      expect(await checkResponseStrict(id as OperationId, operation.success[0] ?? 200, reply)).toEqual([])
    })

    it('shows what it would send, and sends nothing', async () => {
      const {argv, options} = await makeCall()
      const before = await digestOf(join(home.folder, '.local'))
      const {code, stdout} = await home.run([...argv, '--dry-run'], options)
      expect(code).toBe(0)
      const shown = JSON.parse(stdout) as {method: string; url: string; headers: object; body?: object}
      expect(Object.keys(shown)).toEqual(
        operation.body === 'none' || shown.body === undefined
          ? ['method', 'url', 'headers']
          : ['method', 'url', 'headers', 'body'],
      )
      expect(shown.method).toBe(method)
      expect(decodeURIComponent(new URL(shown.url).pathname)).toMatch(asPattern(path))
      expect(new URL(shown.url).searchParams.get('auditUser')).toBe('tester')
      for (const pointer of operation.sensitive.request) {
        const member = pointer.slice(1)
        if (shown.body && member in shown.body) expect(shown.body).toHaveProperty(member, '[masked]')
      }
      if (operation.body === 'required') expect(shown.body).toBeTypeOf('object')
      expect(await digestOf(join(home.folder, '.local'))).toBe(before)
    })

    it.runIf(isWhole || at % 4 === 2)('gives a curl line that a shell can run', async () => {
      const {argv, options} = await makeCall()
      const {code, stdout} = await home.run([...argv, '--curl'], options)
      expect(code).toBe(0)
      const secrets = {
        CONTROL_ID: 'c-1',
        PIN_BLOCK: 'b/+=',
        CARD_NUMBER: '4111111111111111',
        NONCE_SIGNATURE: '01',
      }
      const words = await wordsOfCurl(stdout, secrets)
      expect(words.slice(0, 2)).toEqual(['--request', method])
      expect(decodeURIComponent(new URL(words.at(-1) ?? '').pathname)).toMatch(asPattern(path))
      const body = words.includes('--data') ? JSON.parse(words[words.indexOf('--data') + 1] ?? '') : {}
      for (const pointer of operation.sensitive.request) {
        const member = pointer.slice(1)
        if (member in body) expect(Object.values(secrets)).toContain(body[member])
      }
    })
  },
)
