import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type ContractMap, type ImportedDocument, mapContract, readDocument} from '../../src/imported/index.ts'
import {checkWords, neutralWords} from '../../src/profiles/index.ts'
import {contractDocument, contractFile} from '../helpers/contract.ts'
import {runs} from '../helpers/whole.ts'

// biome-ignore lint/suspicious/noExplicitAny: changes reach into it at any depth.
type Document = Record<string, any>

const written = contractDocument as Document

let own: ImportedDocument
beforeAll(async () => {
  own = service(await readDocument({file: contractFile}))
})

const service = (document: ImportedDocument): ImportedDocument => ({
  ...document,
  operations: document.operations.filter(({extensions}) => extensions['x-group'] !== 'sandbox'),
})

const NOTHING = {words: {}, prefixes: {}}

/** The built-in contract in other words: names of members, and segments of paths. */
async function renamed(
  words: Readonly<Record<string, string>>,
  change: (document: Document) => void = () => undefined,
): Promise<ImportedDocument> {
  const nameOf = (name: string): string => (Object.hasOwn(words, name) ? (words[name] ?? name) : name)
  const inside = (value: unknown, holder = ''): unknown => {
    if (Array.isArray(value)) {
      return value.map(item =>
        holder === 'required' && typeof item === 'string' ? nameOf(item) : inside(item),
      )
    }
    if (typeof value !== 'object' || value === null) return value
    const rename =
      holder === 'properties'
        ? nameOf
        : holder === 'paths'
          ? (path: string) => path.split('/').map(nameOf).join('/')
          : (name: string) => name
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [rename(name), inside(item, name)]))
  }
  const document = inside(written) as Document
  change(document)
  return service(await readDocument({text: JSON.stringify(document), name: 'renamed.json'}))
}

const everyOperation = (document: Document, change: (operation: Document) => void): void => {
  for (const item of Object.values<Document>(document.paths)) {
    for (const [method, operation] of Object.entries<Document>(item))
      if (method !== 'parameters') change(operation)
  }
}

/** Only the operations that a word is about: the others say nothing, and take time. */
const onlyWithWords = (document: Document): void => {
  for (const path of Object.keys(document.paths)) {
    if (!/pin|view|set|provision|checkout|cardnumber|token|control/i.test(path)) delete document.paths[path]
  }
}

const withoutIds = (document: Document): void =>
  everyOperation(document, operation => {
    delete operation.operationId
    for (const mark of Object.keys(operation)) if (mark.startsWith('x-')) delete operation[mark]
  })

const sureOf = ({names}: ContractMap): Record<string, string | null> =>
  Object.fromEntries(
    names.flatMap(({kind, name, standing, theirs}) =>
      kind === 'word' && (standing === 'sure' || standing === 'same') ? [[name, theirs]] : [],
    ),
  )

const wordOf = ({names}: ContractMap, word: string) =>
  names.find(({kind, name}) => kind === 'word' && name === word)

test('the contract and itself need no word', async () => {
  const {names, unsupported, operations} = mapContract(own, await renamed({}), NOTHING)
  expect(new Set(names.map(({standing}) => standing))).toEqual(new Set(['same']))
  expect({unsupported, missing: operations.missing, elsewhere: operations.elsewhere}).toEqual({
    unsupported: [],
    missing: [],
    elsewhere: 0,
  })
})

describe('for any renaming', () => {
  const spelled = (word: string): fc.Arbitrary<string> =>
    fc.constantFrom(
      word,
      word.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
      word.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase(),
      word.charAt(0).toUpperCase() + word.slice(1),
      word.toUpperCase(),
    )
  const alone = ['clientDeviceID', 'clientWalletAccountID', 'clientAppID']
  /** As another word is written: only where that stands elsewhere, since beside it nothing but the name tells them apart. */
  const misleading = fc
    .constantFrom('pinBlock', 'encryptedData', 'cardDataUrl', 'customerBID', 'digitizationData')
    .chain(spelled)
  const strange = fc.stringMatching(/^q[a-z]{2,8}[A-Z]?[a-z0-9]{2,5}$/)
  const nameFor = (word: string) =>
    alone.includes(word) ? fc.oneof(spelled(word), strange) : fc.oneof(spelled(word), strange, misleading)
  const renaming = fc
    .tuple(
      ...neutralWords.map(word => fc.option(nameFor(word), {nil: word}).map(name => [word, name] as const)),
    )
    .map(pairs => Object.fromEntries(pairs))
    .filter(words => new Set(Object.values(words)).size === neutralWords.length)

  test.each([
    ['as it is written', onlyWithWords],
    [
      'without ids and marks',
      (document: Document) => {
        onlyWithWords(document)
        withoutIds(document)
      },
    ],
  ] as const)('%s: a name is right or unsure, and never wrong', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(renaming, async words => {
        const map = mapContract(own, await renamed(words, change), NOTHING)
        for (const [word, theirs] of Object.entries(sureOf(map)))
          expect({word, theirs}).toEqual({word, theirs: words[word]})
        for (const {name, kind, standing, candidates} of map.names) {
          if (kind === 'word' && standing === 'unsure') expect(candidates).toContain(words[name])
        }
        expect(checkWords(sureOf(map))).toEqual([])
      }),
      {numRuns: runs(30)},
    )
  })

  test('most of them are sure', async () => {
    const words = Object.fromEntries(neutralWords.map((word, at) => [word, `own${at}`]))
    const map = mapContract(own, await renamed(words), NOTHING)
    expect(Object.keys(sureOf(map)).length).toBeGreaterThan(10)
    const other = Object.fromEntries(
      neutralWords.map(word => [word, word.toUpperCase().replace('NETWORK_A', 'networkA')]),
    )
    expect(sureOf(mapContract(own, await renamed(other), NOTHING))).toEqual(other)
  })
})

describe('what stays unknown or cannot be expressed', () => {
  test('a removed field and a new one are not taken for each other', async () => {
    const document = await renamed({}, ({components}) => {
      const {PinView, CardControlToken, PinSetRequest} = components.schemas
      for (const schema of [PinView, CardControlToken, PinSetRequest]) delete schema.required
      for (const {properties} of [PinView, PinSetRequest]) {
        delete properties.pinBlock
        properties.keyVersion = {type: 'string'}
      }
      delete CardControlToken.properties.cardDataUrl
      CardControlToken.properties.logoUrl = {type: 'string', format: 'uri'}
    })
    const map = mapContract(own, document, NOTHING)
    expect(wordOf(map, 'cardDataUrl')).toMatchObject({standing: 'unsure', candidates: ['logoUrl']})
    expect(wordOf(map, 'pinBlock')?.standing).not.toBe('sure')
  })

  test('two names for one field', async () => {
    const document = await renamed({}, ({components}) => {
      const {properties} = components.schemas.WalletBPayload
      components.schemas.WalletBPayload.required = ['passData']
      properties.passData = properties.digitizationData
      delete properties.digitizationData
    })
    expect(wordOf(mapContract(own, document, NOTHING), 'digitizationData')).toMatchObject({
      standing: 'unsure',
      candidates: expect.arrayContaining(['passData', 'digitizationData']),
    })
  })

  test('a name that the contract has for another field', async () => {
    expect(
      wordOf(mapContract(own, await renamed({pinBlock: 'publicKey'}), NOTHING), 'pinBlock'),
    ).toMatchObject({
      standing: 'impossible',
      why: expect.stringContaining('publicKey'),
    })
  })

  test('one name for two words', async () => {
    const map = mapContract(own, await renamed({digitizationData: 'blob', encryptedData: 'blob'}), NOTHING)
    for (const word of ['digitizationData', 'encryptedData']) {
      expect(wordOf(map, word)).toMatchObject({standing: 'unsure', why: expect.stringContaining('blob')})
    }
  })

  test('a path in another place, and a field that no word renames', async () => {
    const document = await renamed({controlId: 'control_id'}, ({paths}) => {
      paths['/cards/{id}'] = paths['/v4/{id}']
      delete paths['/v4/{id}']
    })
    const {unsupported, operations} = mapContract(own, document, NOTHING)
    expect(operations.elsewhere).toBe(1)
    expect(unsupported).toContainEqual(
      expect.stringContaining('GET /v4/{id} is GET /cards/{id} in the document'),
    )
    expect(unsupported).toContainEqual(expect.stringContaining('controlId is called control_id'))
  })

  test('a parameter where the contract has a word', async () => {
    const document = await renamed({}, ({paths}) => {
      for (const [path, item] of Object.entries<Document>(paths)) {
        if (!path.includes('NETWORK_A')) continue
        delete paths[path]
        paths[path.replace('NETWORK_A', '{network}')] = {
          ...item,
          parameters: [
            ...(item.parameters ?? []),
            {name: 'network', in: 'path', required: true, schema: {type: 'string', enum: ['one', 'two']}},
          ],
        }
      }
    })
    expect(wordOf(mapContract(own, document, NOTHING), 'NETWORK_A')).toMatchObject({
      standing: 'unsure',
      candidates: ['one', 'two'],
    })
  })
})

describe('prefixes', () => {
  const below = (prefix: string, group: string) => (document: Document) => {
    for (const [path, {parameters, ...methods}] of Object.entries<Document>(document.paths)) {
      for (const [method, operation] of Object.entries<Document>(methods)) {
        if (operation['x-group'] !== group) continue
        delete document.paths[path][method]
        document.paths[`${prefix}${path}`] = {
          ...document.paths[`${prefix}${path}`],
          parameters,
          [method]: operation,
        }
      }
    }
  }

  test('a prefix of a group is found', async () => {
    const {names, operations} = mapContract(own, await renamed({}, below('/card/api', 'cards')), NOTHING)
    expect(names).toContainEqual(
      expect.objectContaining({kind: 'prefix', name: 'cards', standing: 'sure', theirs: '/card/api'}),
    )
    expect(operations).toMatchObject({elsewhere: 0, missing: []})
  })

  test('asks about one that the profile sets differently, and about such a word', async () => {
    const known = {words: {pinBlock: 'mine'}, prefixes: {cards: '/mine'}}
    const map = mapContract(own, await renamed({pinBlock: 'theirs'}, below('/card', 'cards')), known)
    expect(map.names).toContainEqual(
      expect.objectContaining({
        kind: 'prefix',
        name: 'cards',
        standing: 'unsure',
        candidates: ['/card', '/mine'],
      }),
    )
    expect(wordOf(map, 'pinBlock')).toMatchObject({standing: 'unsure', candidates: ['theirs', 'mine']})
  })
})
