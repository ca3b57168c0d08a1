import process from 'node:process'
import type {Context} from '../../../cli/context.ts'
import type * as doctor from '../../../doctor/index.ts'
import type {Step} from '../../../doctor/index.ts'
import {colourLevel, isAsciiOnly} from '../../../output/index.ts'

/** The module of the checks, loaded on first use. */
export type Doctor = typeof doctor

const FOLDERS = ['config', 'data', 'cache'] as const

/** Checks of the runtime, the folders and the disk. */
export function machineSteps(context: Context, doctor: Doctor, fix: boolean): readonly Step[] {
  const {folders, surroundings} = context
  const {platform, now} = surroundings
  return [
    {id: 'runtime', area: 'machine', title: 'Runtime', look: doctor.runtime},
    {id: 'memory', area: 'machine', title: 'Memory', look: async () => doctor.memory()},
    ...FOLDERS.map((purpose): Step => {
      const title = `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} folder`
      return {
        id: `folder.${purpose}`,
        area: 'files',
        title,
        whenBroken: `the ${purpose} folder cannot be used`,
        look: () =>
          doctor.folder({
            title,
            path: folders[purpose],
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
      look: () => doctor.diskSpace(folders.data),
    },
  ]
}

/** Checks of the terminal: tables, colours and questions depend on it. */
export function terminalSteps(context: Context, doctor: Doctor): readonly Step[] {
  const {env, stdout} = context.surroundings
  return [
    {
      id: 'terminal',
      area: 'terminal',
      title: 'Terminal',
      look: async () =>
        doctor.terminalFinding({
          isTerminal: stdout.isTTY === true,
          interactive: context.interactive,
          colour: colourLevel(env, stdout, {noColour: context.flags['no-color']}),
          ascii: isAsciiOnly(env),
          width: stdout.isTTY === true ? stdout.columns : undefined,
        }),
    },
  ]
}
