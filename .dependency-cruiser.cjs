// Who may import whom, and which rooms could be packages of their own: their doors and their packages. Type-only imports may
// cross rooms; an `import()` counts as an import.
const {rooms: ROOMS, apart: APART} = require('./tools/rooms.json')

/** What the commands of one topic share: it may import what cli may. */
const SHARED = '^src/commands/[^/]+/shared/'
const LIST_OF_COMMANDS = '^src/commands/index\\.ts$'

const rooms = Object.entries(ROOMS).map(([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  from: {path: `^src/${room}/`, ...(room === 'commands' && {pathNot: SHARED})},
  to: {
    path: '^src/',
    pathNot: [room, ...allowed].map(name => `^src/${name}/`),
    dependencyTypesNot: ['type-only'],
  },
}))

const oneOf = names => `(?:${names.join('|')})`
const others = room => ['cli', 'commands', ...Object.keys(APART)].filter(name => name !== room)
const apart = Object.entries(APART).flatMap(([room, {doors, packages}]) => [
  {
    name: `door-of-${room}`,
    severity: 'error',
    from: {path: '^(?:src|test)/', pathNot: [`^(?:src|test)/${room}/`, '^test/soak/']},
    to: {path: `^src/${room}/`, pathNot: `^src/${room}/${oneOf(doors)}[.]ts$`},
  },
  {
    name: `alone-${room}`,
    comment: 'Types too: what it needs goes with it.',
    severity: 'error',
    from: {path: `^src/${room}/`},
    to: {path: '^src/', pathNot: `^src/${oneOf([room, ...ROOMS[room]])}/`},
  },
  {
    name: `tests-of-${room}`,
    comment: 'Its tests run where the rest is missing: test/soak/rooms-alone.ts does that.',
    severity: 'error',
    from: {path: `^test/${room}/`},
    to: {path: `^src/${oneOf(others(room))}/`, reachable: true},
  },
  {
    name: `packages-of-${room}`,
    severity: 'error',
    from: {path: `^src/${room}/`},
    to: {path: '^node_modules/', pathNot: `^node_modules/(?:@types/)?${oneOf(packages)}/`},
  },
])

module.exports = {
  forbidden: [
    ...rooms,
    ...apart,
    {
      name: 'commands-apart',
      severity: 'error',
      comment: 'Commands import what their topic shares, never each other.',
      from: {path: '^src/commands/', pathNot: [SHARED, LIST_OF_COMMANDS]},
      to: {
        path: ['^src/commands/', '^node_modules/undici/', '^fs$', '^fs/promises$'],
        pathNot: SHARED,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'cli-knows-no-topic',
      comment: 'What every command needs is in cli, which gets the list of commands from the entry.',
      severity: 'error',
      from: {path: '^src/cli/'},
      to: {path: '^src/commands/', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'undici-in-http-only',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/http/'},
      to: {path: '^node_modules/undici/', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'children-in-known-places',
      comment: 'What starts another program gives it a ChildEnvironment and ends it with this one.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/output/pager.ts$',
          '^src/profiles/(keyring|run-secret-command).ts$',
          '^src/webhook/exec(-process)?[.]ts$',
          '^src/webhook/certify/(run-command|probe-process).ts$',
          // It ends trees of Windows with taskkill, which gets one variable.
          '^src/children/signal-tree.ts$',
          // It asks id for a name, waits for it, and gives it no variables.
          '^src/children/user-name.ts$',
        ],
      },
      to: {path: '^(node:)?(child_process|cluster)$', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: {circular: true, viaOnly: {dependencyTypesNot: ['type-only']}},
    },
  ],
  options: {
    doNotFollow: {path: 'node_modules'},
    tsConfig: {fileName: 'tsconfig.json'},
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
