import * as Flags from '@oclif/core/flags'
import type {ArgInput, FlagInput} from '@oclif/core/interfaces'
import {requiredArg} from '../../../cli/arguments.ts'
import {
  allowV2Flags,
  bodyFlags,
  confirmFlags,
  globalFlags,
  operationFlags,
  pagingFlags,
  proposeFlags,
  writeFlags,
} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {revealFlags} from '../../../cli/reveal.ts'
import {saveFlag} from '../../../cli/save-response.ts'
import {isTransferBatch} from '../../../cli/wire-gate.ts'
import {possibleOperations} from '../../../contract/match.ts'
import {takesKey} from '../../../contract/operation.ts'
import {kindOfValue} from '../../../imported/commands.ts'
import type {ImportedOperation, ImportedParameter, StoredContract} from '../../../imported/index.ts'
import {transferFlags} from '../../a2a/shared/transfer-flags.ts'
import {shownLine} from './contracts.ts'

export const contractFlag = {
  contract: Flags.string({summary: 'The imported contract, where several have the command.'}),
}

const {'idempotency-key': keyFlag} = writeFlags

/** Names of cardctl's own flags that no parameter of a document may take. */
export const TAKEN_FLAGS: readonly string[] = [
  ...Object.keys({
    ...globalFlags,
    ...operationFlags,
    ...bodyFlags,
    ...writeFlags,
    ...confirmFlags,
    ...revealFlags(''),
    ...saveFlag,
    ...contractFlag,
  }),
  'help',
  'version',
]

/** The arguments and flags of a command that a document describes. */
export async function inputOf(
  operation: ImportedOperation,
  contract: StoredContract,
): Promise<{args: ArgInput; flags: FlagInput}> {
  const {parameters, body, effect, method, paging, sensitive, path} = operation
  const source = (name: string) => contract.schema(name)
  const inPath = parameters
    .filter(isArgument)
    .sort((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`))
  const args = Object.fromEntries(
    inPath.map(parameter => [
      parameter.flag,
      requiredArg(descriptionOf(parameter) + FORMS[kindOfValue(parameter, source)]),
    ]),
  )
  const own = parameters
    .filter(parameter => !isArgument(parameter))
    .map(parameter => [parameter.flag, flagOf(parameter, kindOfValue(parameter, source))] as const)
  const mayBeTransfers = possibleOperations(method, path).some(one => isTransferBatch(one.operation))
  return {
    args,
    flags: {
      ...(mayBeTransfers ? transferFlags : {}),
      ...(operation.otherReplies && method !== 'HEAD' ? saveFlag : {}),
      ...Object.fromEntries(own),
      ...contractFlag,
      ...(body === undefined ? {} : bodyFlags),
      ...(takesKey(operation) ? {'idempotency-key': keyFlag} : {}),
      ...(effect === 'read' && (method === 'GET' || method === 'HEAD')
        ? {}
        : {...confirmFlags, ...allowV2Flags, ...proposeFlags}),
      ...(paging === undefined ? {} : pagingFlags),
      ...(sensitive.reply.length === 0 ? {} : revealFlags('the secret fields of the response')),
    },
  }
}

/** What questions need to know: the parameters that the document requires, and the values that it lists. */
export function guideOf({parameters}: ImportedOperation): Guide {
  // A secret is never asked for in the clear.
  const asked = parameters.filter(({sensitive}) => !sensitive)
  const nameOf = (parameter: ImportedParameter): string =>
    isArgument(parameter) ? parameter.flag : `--${parameter.flag}`
  return {
    needs: asked
      .filter(parameter => parameter.required && !isArgument(parameter) && !fromProfile(parameter))
      .map(parameter => ({anyOf: [nameOf(parameter)], or: ['--skeleton', '--no-check-input']})),
    labels: Object.fromEntries(
      asked.map(parameter => [
        nameOf(parameter),
        shownLine(parameter.description ?? parameter.name, 120).replace(/\.$/, ''),
      ]),
    ),
    choices: Object.fromEntries(
      asked.flatMap(parameter => {
        const values = valuesOf(parameter)
        return values.length === 0 ? [] : [[nameOf(parameter), values.map(String)]]
      }),
    ),
  }
}

/** What the profile adds to each request. */
const fromProfile = ({in: place, name}: ImportedParameter): boolean =>
  place === 'query' && name === 'auditUser'

const valuesOf = ({schema}: ImportedParameter): readonly unknown[] =>
  typeof schema === 'object' && Array.isArray(schema.enum) ? schema.enum : []

/** A secret never goes in an argument. */
export const isArgument = ({in: place, sensitive}: ImportedParameter): boolean =>
  place === 'path' && !sensitive

function flagOf(parameter: ImportedParameter, kind: 'boolean' | 'list' | 'object' | 'plain') {
  const summary = descriptionOf(parameter)
  if (parameter.sensitive) {
    return Flags.string({summary, helpValue: 'env:NAME|file:PATH|cmd:COMMAND|-'})
  }
  switch (kind) {
    case 'boolean':
      return Flags.boolean({summary, allowNo: true})
    case 'list':
      return Flags.string({summary, multiple: true, multipleNonGreedy: true})
    case 'object':
      return Flags.string({summary, multiple: true, multipleNonGreedy: true, helpValue: 'name=value|JSON'})
    case 'plain':
      return Flags.string({summary})
  }
}

/** How an argument is typed. */
const FORMS = {
  list: ' Several as a,b.',
  object: ' Its fields as name=value,name=value, or JSON.',
  plain: '',
  boolean: '',
} as const

const MOST_VALUES = 12

function descriptionOf(parameter: ImportedParameter): string {
  const {in: place, name, required, deprecated, description, example} = parameter
  const values = valuesOf(parameter)
  const some = values.slice(0, MOST_VALUES).map(value => shownLine(String(value), 40))
  const parts = [
    sentence(shownLine(description ?? name, 300)),
    // An argument is always required.
    ...(required && place !== 'path' ? ['Required.'] : []),
    ...(deprecated ? ['Deprecated.'] : []),
    ...(some.length === 0 ? [] : [`One of ${some.join(', ')}${values.length > MOST_VALUES ? ' …' : ''}.`]),
    ...(example === undefined || typeof example === 'object'
      ? []
      : [`For example ${shownLine(String(example), 60)}.`]),
  ]
  return parts.join(' ')
}

const sentence = (text: string): string => (/[.!?…:]$/.test(text) ? text : `${text}.`)
