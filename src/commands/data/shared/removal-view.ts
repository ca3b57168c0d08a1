import {sizeOf} from '../../../output/changes.ts'
import type {View} from '../../../output/view.ts'
import type {Removal} from './remove-all.ts'

/** What goes, a line for each. */
export const linesOf = ({files, profiles, completion}: Removal): readonly string[] => [
  ...profiles.map(name => `  profile ${name}, with its secrets`),
  // Its scripts are among the files.
  ...completion.flatMap(({shell, startup}) =>
    startup === undefined ? [] : [`  the block of completion for ${shell} in ${startup}`],
  ),
  ...files.map(
    ({path, files: count, bytes}) =>
      `  ${path}${count > 1 ? ` and ${count - 1} more` : ''}, ${sizeOf(bytes)}`,
  ),
]

export const removalView: View<Removal & {readonly removed: boolean}> = removal => {
  const lines = linesOf(removal)
  if (lines.length === 0) return 'Nothing is kept.'
  const {removed, stays} = removal
  return [
    removed ? 'Removed:' : 'Would be removed:',
    ...lines,
    ...(stays.length === 0
      ? []
      : ['Not written by cardctl, or used by others, so it stays:', ...stays.map(path => `  ${path}`)]),
    ...(removed ? ['Now remove the program itself, as you installed it.'] : []),
  ].join('\n')
}
