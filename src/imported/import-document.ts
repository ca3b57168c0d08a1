import type {Effect} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {isContradicted, matchEffects, readEffects} from './compile/choose-effect.ts'
import {readFieldKinds} from './compile/choose-fields.ts'
import {compile, factsOf} from './compile/compile.ts'
import type {Renamed} from './compile/name-operations.ts'
import type {ContractFacts, Taken} from './contract-form.ts'
import type {Fault, SecurityScheme} from './document/document.ts'
import {type DocumentSource, readDocument} from './document/read-document.ts'
import {writeContract} from './write-contract.ts'

interface TextOf {
  readonly text: string
  readonly name: string
}

export interface ImportOptions {
  readonly name: string
  readonly folder: string
  readonly source: string
  readonly importedAt: string
  readonly prefix: string
  /** The text of `--effects`, and its name. */
  readonly effects?: TextOf | undefined
  /** The text of `--secrets`, and its name. */
  readonly secrets?: TextOf | undefined
  readonly takenFlags: readonly string[]
  readonly platform: NodeJS.Platform
}

export interface Contradicted {
  /** The command: `x transfers create`. */
  readonly command: string
  /** `POST /transfers`. */
  readonly request: string
  readonly effect: Effect
  readonly documentEffect: Effect
}

export interface ImportResult {
  readonly facts: ContractFacts
  readonly tags: Readonly<Record<string, number>>
  readonly effects: Readonly<Record<Effect, number>>
  /** Operations whose effect in `--effects` the document contradicts. */
  readonly contradicted: readonly Contradicted[]
  /** What fields were taken for, by their names. */
  readonly fields: Readonly<Record<string, Taken>>
  readonly faults: readonly Fault[]
  readonly renamed: readonly Renamed[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly webhooks: number
}

/** Reads a document, compiles it and stores it. Replaces a contract of the same name as a whole. */
export async function importDocument(
  document: DocumentSource,
  options: ImportOptions,
): Promise<ImportResult> {
  const read = await readDocument(document)
  const choices = options.effects === undefined ? [] : readEffects(options.effects.text, options.effects.name)
  const {secrets} = options
  const compiled = compile(read, {
    ...options,
    effectOf: named => matchEffects(choices, named),
    fieldKinds: secrets && readFieldKinds(secrets.text, secrets.name),
  })
  if (compiled.operations.length === 0) throw nothingIn(compiled.faults)
  const {name, source, importedAt, prefix} = options
  const facts = factsOf(read, compiled, {name, source, importedAt, prefix})
  await writeContract(options.folder, facts, compiled, options.platform)
  const tags = new Map<string, number>()
  const effects: Record<Effect, number> = {read: 0, disclose: 0, write: 0, destroy: 0}
  for (const {tag, effect} of compiled.operations) {
    tags.set(tag, (tags.get(tag) ?? 0) + 1)
    effects[effect]++
  }
  const {renamed} = compiled
  return {
    facts,
    tags: Object.fromEntries(tags),
    effects,
    contradicted: compiled.operations.flatMap(operation => {
      const {tag, name: command, method, path, effect, documentEffect} = operation
      return documentEffect !== undefined && isContradicted(operation)
        ? [{command: `x ${tag} ${command}`, request: `${method} ${maskText(path)}`, effect, documentEffect}]
        : []
    }),
    fields: Object.fromEntries(compiled.taken),
    // They quote paths and keys of the document.
    faults: compiled.faults.map(fault => ({...fault, ...maskedTexts(fault)})),
    renamed,
    securitySchemes: read.securitySchemes,
    webhooks: read.webhooks,
  }
}

const maskedTexts = ({
  pointer,
  message,
  operation,
}: Fault): Pick<Fault, 'pointer' | 'message' | 'operation'> => ({
  pointer: maskText(pointer),
  message: maskText(message),
  ...(operation === undefined ? {} : {operation: maskText(operation)}),
})

function nothingIn(faults: readonly Fault[]): Failure {
  const [first] = faults
  return new Failure('INPUT_INVALID', {
    message: `The document describes no operation that can be a command${first === undefined ? ': its paths are empty' : `. The first problem: ${maskText(first.message)}`}.`,
    hint: 'Nothing was imported, and an earlier import of that name is unchanged.',
    effect: 'none',
  })
}
