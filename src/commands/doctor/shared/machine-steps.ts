import {userInfo} from 'node:os'
import type {Context} from '../../../cli/context.ts'
import type {Step} from '../../../doctor/index.ts'
import type {Doctor} from './doctor-room.ts'

const FOLDERS = ['config', 'data', 'cache'] as const

/** The runtime, the folders, the disk. */
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
            uid: platform === 'win32' ? undefined : userInfo().uid,
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
