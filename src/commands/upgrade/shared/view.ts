import {fieldAt, listAt, textAt} from '../../../output/fields.ts'
import {dim, strong} from '../../../output/styled.ts'
import {blocks, sentence, stack, type View} from '../../../output/view.ts'

const KINDS: Readonly<Record<string, string>> = {
  clone: 'a clone',
  'npm-global': 'installed by npm for all folders',
  'npm-folder': 'installed by npm in a folder',
  tarball: 'a folder with its own runtime',
  deb: 'a Debian package',
}

/** The installation, then the steps in order. A command is in one line, however long, so that it can be copied. */
export const upgradeView: View = (upgrade, context) => {
  const kind = KINDS[textAt(upgrade, 'kind')]
  const head = [strong(`cardctl ${textAt(upgrade, 'version')}`), kind === undefined ? '' : `, ${kind}`]
  const steps = listAt(upgrade, 'steps').map((step, at) =>
    stack(
      sentence(`${at + 1}. ${textAt(step, 'about')}`, context),
      fieldAt(step, 'command') === undefined
        ? ''
        : sentence(['   ', strong(textAt(step, 'command'))], {...context, width: Number.POSITIVE_INFINITY}),
    ),
  )
  const release = fieldAt(upgrade, 'release')
  return blocks(
    stack(sentence(head, context), sentence(dim(textAt(upgrade, 'folder')), context)),
    release === undefined ? '' : sentence(verdictOf(release), context),
    stack(...steps),
  )
}

/** What a verified release is to the version that runs. */
function verdictOf(release: unknown): string {
  const version = textAt(release, 'version')
  const proof = `Its signature is right, and so is the checksum of ${textAt(release, 'file')}.`
  switch (textAt(release, 'age')) {
    case 'newer':
      return `cardctl ${version} is newer. ${proof}`
    case 'same':
      return `The release is of this version, ${version}. There is nothing to install. ${proof}`
    default:
      return `The release is older: cardctl ${version}. Don't install it: it may not read the data of this one. ${proof}`
  }
}
