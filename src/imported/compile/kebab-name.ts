const LONGEST = 60

/** A name of a document as a word of a command line: `getAccountHolderV2` is `get-account-holder-v2`; '' if nothing is left. */
export function kebabName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
}

/** The wanted name, or one with a number behind it. */
export function distinctName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted
  for (let count = 2; isTaken(name); count++) name = `${wanted}-${count}`
  return name
}
