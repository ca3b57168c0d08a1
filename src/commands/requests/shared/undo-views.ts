import {resourceWords} from '../../../contract/resource.ts'
import {fieldTexts} from '../../../output/changes.ts'
import {type DetailRow, labelledText} from '../../../output/detail.ts'
import {fieldAt, listAt, textAt} from '../../../output/fields.ts'
import {ok} from '../../../output/styled.ts'
import {type Column, table} from '../../../output/table.ts'
import {arrows, sentence, stack, type View} from '../../../output/view.ts'

interface Row {
  readonly field: string
  readonly sent: string
  readonly former: string
  readonly from: string
}

const columns: readonly Column<Row>[] = [
  {title: 'Field', value: ({field}) => field, fit: 'wrap', least: 8},
  {title: 'It sent', value: ({sent}) => sent, fit: 'wrap', least: 8},
  {title: 'Will send', value: ({former}) => former, fit: 'wrap', least: 9},
  {title: 'As sent by', value: ({from}) => from, fit: 'wrap', least: 12, optional: true},
]

/** What an undo will send, field by field. */
export const undoPlanView: View = async (plan, context) => {
  const fields = listAt(plan, 'fields')
  const texts = await fieldTexts(textAt(plan, 'operation'))
  const rows = fields.map(each => {
    const field = textAt(each, 'field')
    return {
      field,
      sent: texts(field, fieldAt(each, 'sent')),
      former: texts(field, fieldAt(each, 'former')),
      from: textAt(each, 'from'),
    }
  })
  const title = sentence(
    `Request ${textAt(plan, 'undone')} on ${resourceWords(textAt(plan, 'resource'))}`,
    context,
  )
  return stack(title, await table('field', columns, rows, context))
}

/** What an undo sent. */
export const undoneView: View = async (undone, context) => {
  const texts = await fieldTexts(textAt(undone, 'operation'))
  const fields = listAt(undone, 'fields').map((each): DetailRow => {
    const field = textAt(each, 'field')
    const change = `${texts(field, fieldAt(each, 'current'))} → ${texts(field, fieldAt(each, 'former'))}`
    return [field, arrows(change, context)]
  })
  const head = ['Request ', textAt(undone, 'undone'), ' ', ok('undone'), ` by ${textAt(undone, 'request')}`]
  return stack(
    sentence(head, context),
    sentence(arrows(textAt(undone, 'did'), context), context),
    labelledText(fields, context),
  )
}
