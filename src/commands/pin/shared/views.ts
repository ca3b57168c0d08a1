import {detail} from '../../../output/detail.ts'
import {textAt} from '../../../output/fields.ts'
import {ok, type Span} from '../../../output/styled.ts'
import {sentence, stack, type View} from '../../../output/view.ts'
import {wholeValuesView} from '../../../output/whole-values.ts'

/** The encrypted response for the cardholder's device. */
export const pinAnswerView: View = wholeValuesView("Encrypted with the device's key")

/** A control id and its URLs. */
export const pinControlView: View = wholeValuesView('Control id, lives 30 seconds')

/** The PIN of a card: bullets, or revealed by the command. */
export const pinView: View = (result, context) =>
  detail(
    {
      title: `PIN of card ${textAt(result, 'cardId')}`,
      rows: [
        ['PIN', textAt(result, 'pin')],
        ['Plastic', textAt(result, 'plasticId')],
      ],
    },
    context,
  )

/** Says that a PIN was set; the service's response is empty. */
export const pinSetView: View = (result, context) => {
  const [card, plastic] = [textAt(result, 'cardId'), textAt(result, 'plasticId')]
  const parts: (string | Span)[] = [card === '' ? 'PIN' : `PIN of card ${card}`, ' ', ok('set')]
  if (plastic !== '') parts.push(`, plastic ${plastic}`)
  return sentence(parts, context)
}

/** Says that a new PIN was set, and what that did to the wrong tries. */
export const pinUnblockedView: View = async (result, context) => {
  const tries = (when: string): string => {
    const [counter, max] = [
      textAt(result, `wrongTries.${when}.counter`),
      textAt(result, `wrongTries.${when}.max`),
    ]
    return counter === '' ? 'unknown' : max === '' ? counter : `${counter} of ${max}`
  }
  const change = ` wrong tries  ${tries('before')} -> ${tries('after')}`
  return stack(await pinSetView(result, context), sentence(change, context))
}
