import {isObject} from '../errors/is-object.ts'
import {auditUserProblem} from './setting-checks.ts'
import {checkedText, flag, type Raw, setting} from './value-types.ts'

export const machineUserMembers = {
  name: setting(
    checkedText(name => {
      const problem = auditUserProblem(name, 'test')
      return problem === undefined ? {value: name} : {problem}
    }),
    {
      required: true,
      doc: 'its name, as the service logs it; the audit user, unless another is given',
      flag: flag(
        'machine-user',
        'text',
        'Name of the machine that acts with this profile, for example nightly.',
      ),
    },
  ),
  responsible: setting(
    checkedText((name, entry) => {
      const problem = auditUserProblem(name, 'test')
      if (problem !== undefined) return {problem}
      return name === machineOfEntry(entry)
        ? {problem: 'must name a person or a team, not the machine itself'}
        : {value: name}
    }),
    {
      required: true,
      doc: 'the person or team that is responsible for that machine',
      flag: flag('responsible', 'text', 'Person or team responsible for --machine-user.'),
    },
  ),
}

/** The name of the machine that an entry declares. */
export function machineOfEntry({machineUser}: Raw): unknown {
  return isObject(machineUser) ? machineUser.name : undefined
}
