import {maskText} from './mask-text.ts'
import {MASK} from './secret.ts'
import {isSecretName} from './secret-names.ts'

/** A member of JSON, whole or cut off, or a field of a form. */
const MEMBER = /"((?:[^"\\]|\\.){1,64})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g
const FIELD = /(?<![\w.-])([\w.-]+)(\s*=\s*)([^&\s]+)/g

/**
 * What should have been data and cannot be read: members with a secret's name are masked, and all digits, for what they
 * belong to nobody can tell.
 */
export function maskBroken(text: string): string {
  const hide = (whole: string, name: string, between: string, value: string) => {
    if (!isSecretName(name)) return whole
    return `${whole.slice(0, whole.length - between.length - value.length)}${between}${MASK}`
  }
  return maskText(text)
    .replace(MEMBER, hide)
    .replace(FIELD, hide)
    .replace(/\p{Nd}/gu, '•')
}
