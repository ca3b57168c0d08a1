import {maskText} from './mask-text.ts'

/**
 * Text from outside, masked and then cut to so many characters: the one way to shorten it. Cut first, half of a card number
 * or token would stand at the end and look like neither.
 */
export function maskWithin(text: string, longest: number): string {
  const masked = maskText(text)
  return masked.length <= longest ? masked : `${masked.slice(0, longest)} …`
}
