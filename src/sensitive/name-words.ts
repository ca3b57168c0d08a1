/** The words of a name in lower case: `cardProduct_token2` has card, product, token2. */
export const nameWords = (name: string): readonly string[] =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(word => word !== '')
