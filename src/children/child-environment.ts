declare const made: unique symbol

/** The environment of a program that cardctl starts; only `childEnvironment` creates one. */
export type ChildEnvironment = Readonly<Record<string, string>> & {readonly [made]: true}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns our environment without the variables that another program must not see: cardctl's own (CARDCTL_…, which may
 * hold a token), and those that hold a secret. A pager or a password manager needs none of them, and may log them.
 *
 * @param secret names of the variables that references in profiles and flags name.
 */
export function childEnvironment(
  env: Env,
  secret: Iterable<string>,
  platform: NodeJS.Platform = process.platform,
): ChildEnvironment {
  // Windows ignores the case of variable names.
  const known = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name
  const left = new Set([...secret].map(known))
  const passed = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^CARDCTL_/i.test(name) && !left.has(known(name)),
  )
  return Object.fromEntries(passed) as unknown as ChildEnvironment
}

/**
 * Finds the variables that references in a text name, wherever they are in it: `basic:env:NAME`, `"token":"env:NAME"`.
 */
export function variablesNamedIn(text: string): string[] {
  return [...text.matchAll(/\benv:([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = '']) => name)
}
