import {isObject} from '../errors/is-object.ts'
import {flatten, hasValue} from './fields.ts'
import {dim, jsonLine, strong} from './styled.ts'
import {sentence, stack, type View} from './view.ts'

/**
 * Values that a command exists to print (ciphertexts, tokens, payloads): each on one line below its name, whatever the
 * width, so that a copy has no line break.
 */
export function wholeValuesView(title: string): View {
  return (response, context) => {
    const fields = isObject(response) ? Object.entries(flatten(response)) : []
    const parts = fields
      .filter(([, value]) => hasValue(value))
      .flatMap(([name, value]) => [
        sentence(dim(name), context),
        sentence(typeof value === 'object' ? jsonLine(value) : String(value), {
          ...context,
          width: Number.POSITIVE_INFINITY,
        }),
      ])
    return stack(sentence(strong(title), context), ...parts)
  }
}
