const MOST_NAMED = 20

/** "rows 83, 84, 85 and 3 more". @param all how many there are, of which these are the first */
export function namedRows(rows: readonly number[], all = rows.length): string {
  const named = rows.slice(0, MOST_NAMED)
  const more = all - named.length
  return `${all === 1 ? 'row' : 'rows'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
