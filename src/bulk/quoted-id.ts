/** What to do about an id that a script took from a JSON text with its quotation marks; undefined for any other id. */
export const quotedIdHint = (id: string): string | undefined =>
  /^["'].*["']$/.test(id)
    ? 'The id has quotation marks, as -o json prints them. Leave out -o json: --query job prints the id alone.'
    : undefined
