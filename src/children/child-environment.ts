declare const made: unique symbol

/** The environment of a program that the tool starts; only `childEnvironment` makes one. */
export type ChildEnvironment = Readonly<Record<string, string>> & {readonly [made]: true}

type Env = Readonly<Record<string, string | undefined>>

/**
 * What another program is given of our environment: nothing of ours (CARDCTL_…, a token among it), and no variable that
 * holds a secret. A pager or a password manager needs none of these, and may log or report what it
 * finds.
 *
 * @param secret names of variables that references of profiles and flags lead to.
 */
export function childEnvironment(
  env: Env,
  secret: Iterable<string>,
  platform: NodeJS.Platform = process.platform,
): ChildEnvironment {
  // Windows takes the same name in any case for the same variable.
  const known = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name
  const left = new Set([...secret].map(known))
  const passed = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !/^CARDCTL_/i.test(name) && !left.has(known(name)),
  )
  return Object.fromEntries(passed) as unknown as ChildEnvironment
}

/** The variables that references in a text name, with any text around them: `basic:env:NAME`, `"token":"env:NAME"`. */
export function variablesNamedIn(text: string): string[] {
  return [...text.matchAll(/\benv:([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = '']) => name)
}
