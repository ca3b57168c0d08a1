// No telemetry and no update check: nothing that could make one is there, and a run opens no connection.
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {globSync, readFileSync} from 'node:fs'
import {connect} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {openHome} from '../helpers/cli.ts'
import {lockedPackages, ROOT} from './lock-file.ts'

/** Packages that look for newer versions, count users or report faults. */
const REPORTERS =
  /^(@oclif\/plugin-(warn-if-)?update.*|(simple-)?update-(notifier|check)|latest-version|package-json|configstore|insight|universal-analytics|applicationinsights|newrelic|dd-trace|bugsnag(-js)?|rollbar|mixpanel|amplitude|posthog-node|node-machine-id|@(sentry|segment|bugsnag|amplitude|rudderstack|scarf|datadog)\/.+)$/

/** Hosts that the sources may name, and why. */
const HOSTS: Readonly<Record<string, string>> = {
  '127.0.0.1': 'this machine, in an example',
  'sandbox.embedded': 'the address that the embedded sandbox has in previews',
  'api.example': 'an example',
  'staging.example': 'an example',
  'example.com': 'an example',
  'hooks.example.com': 'an example',
  'decide.example': 'an example',
  'schemas.openxmlformats.org': 'a namespace of the files that a workbook has',
  'purl.oclc.org': 'a namespace of the files that a workbook has',
  'json-schema.org': 'the name of the dialect of a schema',
  'service.invalid': 'an address that no resolver knows',
  'ts.sdk.modelcontextprotocol.io': 'a page that an error of a package refers to',
  'opentelemetry.io': 'a page that a comment refers to',
  'prometheus.io': 'a page that a comment refers to',
  'nodejs.org': 'the page that an older Node.js names',
  'www.postgresql.org': 'a page that a comment refers to',
  'www.sqlite.org': 'a page that a comment refers to',
  'github.com': 'a page that a comment refers to',
  'raw.githubusercontent.com': 'a page that a comment of the bundled validator refers to',
  'tools.ietf.org': 'a page that a comment of the bundled validator refers to',
  'gist.github.com': 'a page that a comment of the bundled validator refers to',
  'mathiasbynens.be': 'a page that a comment of the bundled validator refers to',
  'www.safaribooksonline.com': 'a page that a comment of the bundled validator refers to',
  'stackoverflow.com': 'a page that a comment of the bundled validator refers to',
  'spec.openapis.org': 'the name of a dialect of schemas in the bundled validator',
  'fastify.dev': 'a page that a warning of the server names',
  'aaa.nonexistanturl.com': 'a base for relative addresses, which is never asked',
  'www.standardwebhooks.com': 'a page that a setting refers to',
  'www.w3.org': 'the names of the namespaces of SVG and MathML',
}

/** OpenTelemetry is what a user may start beside the sandbox: nothing of it is a dependency of a run. */
const SUSPECT = /update.?(notifier|check)|(?<!open)telemetry|analytics|registry\.npmjs|dist-tags/i

function texts(pattern: string): readonly [path: string, text: string][] {
  return globSync(pattern, {cwd: ROOT}).map(path => [path, readFileSync(`${ROOT}${path}`, 'utf8')])
}

const sources = texts('{src,bin}/**/*.{ts,js,yaml,json}')
const built = texts('dist/**/*.{js,cjs}')

test('there are sources and a build to look at', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(built.length, 'npm run build makes them').toBeGreaterThan(20)
})

test('no package looks for updates or reports', () => {
  expect(
    lockedPackages()
      .map(({name}) => name)
      .filter(name => REPORTERS.test(name)),
  ).toEqual([])
  for (const name of ['update-notifier', '@oclif/plugin-warn-if-update-available', '@sentry/node'])
    expect(name).toMatch(REPORTERS)
})

test('tracing is there only for those who install it themselves', () => {
  expect(Object.keys(pjson.dependencies).filter(name => name.startsWith('@opentelemetry/'))).toEqual([])
  expect(pjson.peerDependenciesMeta['@opentelemetry/api']).toEqual({optional: true})
  const loads = /(?:import|require)\(["'](@opentelemetry\/[\w-]+)/g
  const named = built.flatMap(([, text]) => [...text.matchAll(loads)].map(([, name]) => name))
  expect([...new Set(named)]).toEqual(['@opentelemetry/api'])
})

test('no plugin of the command framework is loaded', () => {
  expect(pjson.oclif).not.toHaveProperty('plugins')
  expect(pjson.oclif).not.toHaveProperty('update')
  expect(pjson.oclif).not.toHaveProperty('devPlugins')
})

test('no source and no built file speaks of one', () => {
  const found = [...sources, ...built].filter(([, text]) => SUSPECT.test(text))
  expect(found.map(([path]) => path)).toEqual([])
})

test('every host that stands in the sources and the build is known', () => {
  const unknown = new Set<string>()
  for (const [path, text] of [...sources, ...built]) {
    for (const [, host = ''] of text.matchAll(/https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi)) {
      if (!(host.toLowerCase() in HOSTS)) unknown.add(`${host} in ${path}`)
    }
  }
  expect([...unknown]).toEqual([])
})

test('commands on the embedded sandbox open no connection', async () => {
  const opened: unknown[] = []
  const listener = (message: unknown): void => void opened.push(message)
  subscribe('net.client.socket', listener)
  onTestFinished(() => void unsubscribe('net.client.socket', listener))
  const home = await openHome()
  onTestFinished(() => home.remove())
  for (const argv of [['help'], ['whoami'], ['cards', 'get', '3001'], ['cards', 'get', '9999']])
    await home.run(argv)
  expect(opened).toEqual([])
  connect(1, '127.0.0.1').on('error', () => {})
  expect(opened, 'the listener hears of connections').toHaveLength(1)
})
