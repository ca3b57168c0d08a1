import {fileURLToPath} from 'node:url'
import {describe, expect, it} from 'vitest'
import {compile} from '../../src/imported/compile/compile.ts'
import {readDocument} from '../../src/imported/index.ts'
import {publicDocument} from './public-documents.ts'

/** Their golden files were read by a person. The others are tried by the soak of documents. */
const READ = [
  'accounts-a.yaml',
  'bank-data-b.yaml',
  'cards-a.yaml',
  'cards-b.yaml',
  'commerce-a.json',
  'orders-a.json',
  'payments-b.yaml',
  'payroll-a.yaml',
  'platform-a.yaml',
]

const golden = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/public-documents/${name}.txt`, import.meta.url))

/** What the fields of a document are taken for, and what follows: effects, disclosures, parameters passed as secrets. */
async function takenFrom(file: string): Promise<string> {
  const {operations, taken, faults} = compile(await readDocument({file}), {
    name: 'public',
    prefix: '',
    takenFlags: [],
  })
  const fields = [...taken].sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = (kind: string) =>
    fields.flatMap(([name, one]) => (one.kind === kind ? [`  ${name}: ${one.why}`] : []))
  const effects = Object.entries(Object.groupBy(operations, ({effect}) => effect))
  const secret = operations.flatMap(({parameters, path}) =>
    parameters.flatMap(one =>
      one.sensitive ? [`  ${one.in} ${one.name}${one.in === 'path' ? ` of ${path}` : ''}`] : [],
    ),
  )
  return [
    `operations: ${operations.length}, left out: ${faults.filter(one => one.consequence === 'left out').length}`,
    `effects: ${effects
      .map(([effect, some]) => `${effect} ${some.length}`)
      .sort()
      .join(', ')}`,
    'secret:',
    ...lines('secret'),
    'personal:',
    ...lines('personal'),
    `ids with a secret's name: ${lines('id').length}`,
    ...lines('id').filter(line => !line.includes(': {')),
    'plain:',
    ...lines('plain'),
    'disclosures:',
    ...operations.flatMap(({effect, method, path}) => (effect === 'disclose' ? [`  ${method} ${path}`] : [])),
    'parameters passed as secrets:',
    ...new Set(secret),
    '',
  ].join('\n')
}

describe('the fields of a public document', () => {
  for (const name of READ) {
    const file = publicDocument(name)
    it.skipIf(file === undefined)(
      `${name} are taken for what a person takes them for`,
      {timeout: 60_000},
      async () => {
        await expect(await takenFrom(file ?? '')).toMatchFileSnapshot(golden(name))
      },
    )
  }
})
