import type {
  ContractCall,
  ContractCode,
  ContractField,
  WebhookContract,
} from '../../../contract/webhook-contract.ts'
import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {dim, type Styled} from '../../../output/styled.ts'
import {blocks, section, sentence, type View, type ViewContext} from '../../../output/view.ts'

export const SOURCE_LEGEND =
  'outline: fixed by the outline of the service. known: public facts about such services. decided: by cardctl, and may differ at your service.'

/** The calls and answers field by field, the rules and the codes. */
export const webhookContractView: View<WebhookContract> = ({calls, codes}, context) =>
  blocks(
    ...[...calls].reverse().map(call => callText(call, context)),
    codesText(codes, context),
    sentence([' ', dim('webhook contract --field NAME and --code CODE show one, with all values.')], context),
    sentence([' ', dim(SOURCE_LEGEND)], context),
  )

function callText({method, path, call, answer, headers, rules}: ContractCall, context: ViewContext): string {
  return blocks(
    section(
      `${method} ${path}`,
      labelledText(
        rules.map(({about, text, source}): DetailRow => [about, [text, dim(`  ${source}`)]]),
        context,
      ),
      context,
    ),
    headers.length === 0 ? undefined : fieldsText(`Headers of ${path}`, headers, context),
    ...partsOf(call.fields).map(({title, fields}) => fieldsText(`Call${title}`, fields, context)),
    answer.fields.length === 0 ? undefined : fieldsText('Answer', answer.fields, context),
    ...answer.examples.map(example => exampleText(example.summary, example.value, context)),
  )
}

/** The fields by the object at the top that has them, so that names stay short. */
function partsOf(fields: readonly ContractField[]): {title: string; fields: ContractField[]}[] {
  const parts: {title: string; fields: ContractField[]}[] = []
  for (const field of fields) {
    const [top = '', ...inner] = field.name.split('.')
    const isTop = inner.length === 0
    if (isTop && field.type.startsWith('object')) parts.push({title: `: ${top}`, fields: []})
    else if (isTop && parts.length === 0) parts.push({title: '', fields: [field]})
    else parts.at(-1)?.fields.push(isTop ? field : {...field, name: inner.join('.')})
  }
  return parts
}

const fieldsText = (title: string, fields: readonly ContractField[], context: ViewContext): string =>
  section(
    title,
    labelledText(
      withWholeAmounts(fields).map(
        (field): DetailRow => [field.name, {lines: [field.meaning, aboutField(field)]}],
      ),
      context,
    ),
    context,
  )

/** An amount as one field: its two parts are the same everywhere. */
function withWholeAmounts(fields: readonly ContractField[]): readonly ContractField[] {
  const names = new Set(fields.map(({name}) => name))
  const isAmount = (name: string) => names.has(`${name}.amount`) && names.has(`${name}.currency`)
  return fields
    .filter(({name}) => !isAmount(name.replace(/\.(amount|currency)$/, '')) || isAmount(name))
    .map(field =>
      isAmount(field.name) ? {...field, type: field.type.replace('object', '{amount, currency}')} : field,
    )
}

/** `text, required, known, for example "EUR"`. */
function aboutField({type, unit, required, source, example}: ContractField): Styled {
  const shown = example === undefined ? '' : `, for example ${JSON.stringify(example)}`
  return dim(
    `${type}${unit === undefined ? '' : ` (${unit})`}${required ? ', required' : ''}, ${source}${shown}`,
  )
}

const codesText = (codes: readonly ContractCode[], context: ViewContext): string =>
  section(
    'Response codes',
    labelledText(
      codes.map(
        ({code, name, meaning, use}): DetailRow => [
          code,
          [`${meaning}. ${use}`, dim(name === undefined ? '' : `  ${name}`)],
        ],
      ),
      context,
    ),
    context,
  )

function exampleText(title: string, value: unknown, context: ViewContext): string {
  return section(title, sentence([' ', JSON.stringify(value)], context), context)
}

/** One field where it occurs, with all its values. */
export interface FieldPlaces {
  readonly fields: readonly (ContractField & {readonly in: string})[]
}

export const contractFieldView: View<FieldPlaces> = ({fields}, context) =>
  blocks(
    ...fields.map(field =>
      section(
        `${field.name}, ${field.in}`,
        labelledText(
          [
            ['Meaning', field.meaning],
            ['Type', field.type],
            ['Unit', field.unit ?? ''],
            ['Required', field.required ? 'yes' : 'no'],
            ['Values', {lines: (field.values ?? []).map(valueLine)}],
            ['Example', field.example === undefined ? '' : JSON.stringify(field.example)],
            ['Rests on', field.source],
          ],
          context,
        ),
        context,
      ),
    ),
  )

const valueLine = ({value, meaning}: {value: string; meaning: string}): Styled =>
  meaning === '' ? value : [value, dim(`  ${meaning}`)]

export const contractCodesView: View<readonly ContractCode[]> = (codes, context) => codesText(codes, context)
