// Every command belongs to a task, so that help and menus leave none out.
import {expect, it} from 'vitest'
import {TASK_GROUPS, taskGroupOf} from '../../src/cli/task-groups.ts'
import {commands} from '../../src/commands/index.ts'

it('every command belongs to a task', () => {
  expect(Object.keys(commands).filter(id => taskGroupOf(id) === undefined)).toEqual([])
})

it('every name of a group is a topic or a command, and is in one group only', () => {
  const names = TASK_GROUPS.flatMap(group => group.names)
  const ids = Object.keys(commands)
  const strays = names.filter(name => !ids.some(id => id === name || id.startsWith(`${name}:`)))
  expect(strays).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
