import {nearestName} from '../errors/nearest-name.ts'

/** The name that was probably meant: `--page` means `--page-size` rather than one that is a letter away. */
export function meantName(given: string, names: readonly string[]): string | undefined {
  const [longer, ...others] = names.filter(name => name.startsWith(`${given}-`))
  return longer !== undefined && others.length === 0 ? longer : nearestName(given, names)
}
