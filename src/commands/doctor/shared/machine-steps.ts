import process from 'node:process'
import type {Context} from '../../../cli/context.ts'
import {diskSpace, folder, memory, runtime, type Step, terminalFinding} from '../../../doctor/index.ts'
import {colourLevel, isAsciiOnly} from '../../../output/index.ts'

const FOLDERS = ['config', 'data', 'cache'] as const

/** Checks of the runtime, the folders and the disk. */
export function machineSteps(context: Context, fix: boolean): readonly Step[] {
  const {folders, surroundings} = context
  const {platform, now} = surroundings
  return [
    {id: 'runtime', area: 'machine', title: 'Runtime', look: runtime},
    {id: 'memory', area: 'machine', title: 'Memory', look: async () => memory()},
    ...FOLDERS.map((purpose): Step => {
      const title = `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} folder`
      return {
        id: `folder.${purpose}`,
        area: 'files',
        title,
        whenBroken: `the ${purpose} folder cannot be used`,
        look: () =>
          folder({
            purpose,
            title,
            path: folders[purpose],
            variable: `CARDCTL_${purpose.toUpperCase()}_DIR`,
            platform,
            // Not by the user's name: a container may have none.
            uid: process.getuid?.(),
            fix,
            now: now(),
          }),
      }
    }),
    {
      id: 'disk',
      area: 'files',
      title: 'Disk space',
      needs: ['folder.data'],
      look: () => diskSpace(folders.data),
    },
  ]
}

/** Checks of the terminal: tables, colours and questions depend on it. */
export function terminalSteps(context: Context): readonly Step[] {
  const {env, stdout} = context.surroundings
  return [
    {
      id: 'terminal',
      area: 'terminal',
      title: 'Terminal',
      look: async () =>
        terminalFinding({
          isTerminal: stdout.isTTY === true,
          interactive: context.interactive,
          colour: colourLevel(env, stdout, {noColour: context.flags['no-color']}),
          ascii: isAsciiOnly(env),
          width: stdout.isTTY === true ? stdout.columns : undefined,
        }),
    },
  ]
}
