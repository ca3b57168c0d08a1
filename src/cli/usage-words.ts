/**
 * The words of oclif's usage errors on one line, without the values that it quotes from the command line: what stands in
 * the wrong place there may be a PIN or a token. Names of flags stay, and what would have been right.
 */
export function usageWords(message: string): string {
  return (
    message
      .replace(/^Unexpected arguments?: .*/s, 'An argument too many was given.')
      .replace(/^(Nonexistent flags?: )(.*)/s, (_, words: string, flags: string) => words + namesOf(flags))
      // Said of every repeatable flag, though none of ours takes more than one value at a time.
      .replace(/\n\nNote: .*/s, '')
      .replace(/^Parsing (--[\w-]+) \n\t/, '$1: ')
      // Greedy: if a value holds the words that end it, too much goes and not too little.
      .replace(/(--[\w-]+)=.*( to be one of: )/s, '$1$2')
      .replace(/(--[\w-]+)=.*( cannot also be provided)/s, '$1$2')
      .replace(/ but received: .*/s, '')
      .split('\n')
      .map(line => line.trim())
      // Our hint says the same.
      .filter(line => line !== '' && !/^(See more help with|The following errors? occurred:)/.test(line))
      .join(' ')
  )
}

function namesOf(flags: string): string {
  return flags
    .split(', ')
    .map(flag => /^(--[a-z][a-z-]*|-[a-z])/i.exec(flag)?.[0])
    .filter(name => name !== undefined)
    .join(', ')
}
