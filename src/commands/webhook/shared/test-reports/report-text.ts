import {escapeText} from '../../../../output/styled.ts'
import {maskText} from '../../../../sensitive/mask-text.ts'

/** A line of text from outside: masked, and with control characters and lone surrogates written out. */
export const reportText = (text: string): string => escapeText(maskText(text)).replace(/[\ufffe\uffff]/g, '?')
