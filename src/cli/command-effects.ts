import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import type {SuggestedCommand, SuggestedEffect} from '../errors/suggested-command.ts'
import type {Commands} from './program.ts'

/**
 * What each command changes that claims no operation of the contract and takes no note. A test checks that every such
 * command is here.
 */
export const COMMAND_EFFECTS: Readonly<Record<SuggestedEffect, readonly string[]>> = {
  read: words(`
    a2a:watch audit:anchor audit:export audit:list audit:verify bulk:list bulk:results bulk:status bulk:watch
    completion contract:check contract:diff contract:export contract:list contract:show data:where find help history
    mappings:list plan:show policy:check policy:show policy:test profiles:list profiles:show profiles:test
    remotecheckout:traces report:batch report:shift requests:list requests:proposals requests:show
    sandbox:snapshot:list sandbox:store:check sandbox:store:size sandbox:tenants:list sandbox:tenants:show
    sandbox:tokens:list schema tour upgrade webhook:contract webhook:events:export webhook:events:list
    webhook:events:show webhook:rules:check webhook:scenarios whoami`),
  local: words(`
    audit:begin audit:key audit:prune bulk:cancel bulk:export bulk:import bulk:prune bulk:resolve completion:install
    completion:uninstall contract:import contract:map contract:remove data:erase data:export data:import data:keys
    data:remove doctor mappings:remove profiles:add profiles:edit profiles:remove profiles:use requests:pace
    requests:prune requests:rebind requests:reject requests:sign sandbox:serve sandbox:snapshot:remove
    webhook:events:prune webhook:link webhook:serve`),
  write: words(`
    gate:serve mcp requests:resolve sandbox:snapshot:fork sandbox:store:migrate sandbox:tenants:add
    sandbox:tenants:remove sandbox:tenants:reset sandbox:tenants:set sandbox:tokens:add sandbox:tokens:remove
    sandbox:tokens:rotate webhook:bench webhook:certify webhook:replay webhook:test webhook:trigger`),
}

/**
 * The commands that ask before they act beyond what the gate asks about their operations: always, or by what their input
 * or flags do. A test finds each that asks.
 */
export const CONFIRMS: Readonly<Record<'always' | 'sometimes', readonly string[]>> = {
  always: words(`
    a2a:create accounts:close data:erase requests:approve requests:sign requests:undo sandbox:snapshot:remove sandbox:tenants:remove
    sandbox:tenants:reset sandbox:tokens:remove`),
  sometimes: words(`
    apply audit:begin audit:key audit:prune bulk:prune bulk:resolve bulk:resume bulk:run contract:map data:export data:import data:remove
    profiles:add profiles:edit profiles:remove requests:pace requests:prune requests:rebind requests:resolve requests:retry
    webhook:events:prune`),
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** Options that only show something, whatever the command does. */
const SHOWS = new Set(['--help', '--dry-run', '--curl', '--skeleton', '--list'])

/** What a suggested command may change. A disclosure counts as a write: the service logs it. */
export async function effectOf({argv}: SuggestedCommand, commands: Commands): Promise<SuggestedEffect> {
  const id = idOf(argv, commands)
  const load = id === undefined ? undefined : commands[id]
  if (id === undefined || load === undefined || argv.some(word => SHOWS.has(word))) return 'read'
  for (const effect of ['read', 'local', 'write'] as const)
    if (COMMAND_EFFECTS[effect].includes(id)) return effect
  const {default: Command} = await load()
  const {
    claims = [],
    flags,
    baseFlags,
  } = Command as {
    claims?: readonly OperationId[]
    flags?: object
    baseFlags?: object
  }
  return 'note' in {...baseFlags, ...flags} || claims.some(each => operations[each].effect !== 'read')
    ? 'write'
    : 'read'
}

/** The id of the command that the words begin with: `sandbox:state:show`. */
export function idOf(argv: readonly string[], commands: Commands): string | undefined {
  const ids = [3, 2, 1].map(count => argv.slice(0, count).join(':'))
  return ids.find(id => Object.hasOwn(commands, id))
}
