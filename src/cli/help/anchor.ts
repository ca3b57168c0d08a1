/** The anchor of a heading, in GitHub's form: `Who is asked` has `who-is-asked`. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** How a page is called, or the part of it below a heading: `docs/support.md#history`. */
export const placeOf = (page: string, heading: string | undefined): string =>
  heading === undefined ? page : `${page}#${anchor(heading)}`
