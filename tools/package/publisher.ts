// Where a release is published, which only its publisher knows. Debian's own variables name the maintainer.
import process from 'node:process'

const {CARDCTL_HOMEPAGE, CARDCTL_REPOSITORY, CARDCTL_BUGS, CARDCTL_DOWNLOADS} = process.env

/** What package.json says of it, for npm and all who read that file. */
export const PUBLISHED = {
  ...(CARDCTL_HOMEPAGE !== undefined && {homepage: CARDCTL_HOMEPAGE}),
  ...(CARDCTL_REPOSITORY !== undefined && {repository: {type: 'git', url: CARDCTL_REPOSITORY}}),
  ...(CARDCTL_BUGS !== undefined && {bugs: {url: CARDCTL_BUGS}}),
}

/** The folder of the files of this release. */
export const DOWNLOADS = CARDCTL_DOWNLOADS ?? 'https://downloads.invalid/cardctl'
export const HOMEPAGE = CARDCTL_HOMEPAGE ?? 'https://cardctl.invalid'
