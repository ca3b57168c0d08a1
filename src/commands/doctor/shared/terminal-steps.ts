import type {Context} from '../../../cli/context.ts'
import type {Step} from '../../../doctor/index.ts'
import {colourLevel, isAsciiOnly} from '../../../output/index.ts'
import type {Doctor} from './doctor-room.ts'

/** What tables, colours and questions can rely on. */
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
