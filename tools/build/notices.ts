// Licences of the code in the build: THIRD-PARTY-NOTICES.md with every licence in full, and a bill of materials
// (CycloneDX 1.6).
import {globSync, readFileSync, writeFileSync} from 'node:fs'
import type {Metafile} from 'esbuild'
import pjson from '../../package.json' with {type: 'json'}

interface Carried {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly text: string
}

export function writeNotices(builds: readonly Metafile[]): void {
  const packages = carriedBy(builds)
  writeFileSync('THIRD-PARTY-NOTICES.md', noticesOf(packages))
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(billOf(packages))}\n`)
}

/** The packages with a file in one of the builds, by name. Two versions of one package are two entries. */
function carriedBy(builds: readonly Metafile[]): readonly Carried[] {
  const folders = new Set<string>()
  for (const {outputs} of builds) {
    for (const {inputs} of Object.values(outputs)) {
      for (const path of Object.keys(inputs)) {
        const folder = /^(?:ns:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
        if (folder !== undefined) folders.add(folder)
      }
    }
  }
  const found = new Map([...folders].map(read).map(each => [`${each.name} ${each.version}`, each]))
  return [...found.keys()].sort().flatMap(key => found.get(key) ?? [])
}

function read(folder: string): Carried {
  const {name, version, license} = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return {name, version, license, text: licenceIn(folder, name)}
}

/** A package has its licence in a file, or else as the last section of its README. */
function licenceIn(folder: string, name: string): string {
  const [file] = globSync(`${folder}/{LICEN[CS]E,licen[cs]e,COPYING}*`).sort()
  if (file !== undefined) return readFileSync(file, 'utf8').trim()
  const [readme] = globSync(`${folder}/{README,readme}*`).sort()
  const [, section] =
    /^#+ licen[cs]e *\n([^#]+)$/im.exec(readme === undefined ? '' : readFileSync(readme, 'utf8')) ?? []
  if (section === undefined || !/\bcopyright\b/i.test(section) || !/\bpermission\b/i.test(section))
    throw new Error(`The package ${name} has no text of its licence, which has to go with its code.`)
  return section.trim()
}

const noticesOf = (packages: readonly Carried[]): string =>
  `${[
    '# Third-party notices',
    `The files of cardctl carry code of these ${packages.length} packages. The build writes this page.`,
    ...packages.map(({name, version, text}) => `## ${name} ${version}\n\n${text.replaceAll(/^#/gm, '\\#')}`),
  ].join('\n\n')}\n`

/** https://cyclonedx.org/docs/1.6/json/ */
function billOf(packages: readonly Carried[]) {
  const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
  const {name, version, license} = pjson
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl(name, version),
        name,
        version,
        licenses: [{license: {id: license}}],
      },
    },
    components: packages.map(each => ({
      type: 'library',
      'bom-ref': purl(each.name, each.version),
      name: each.name,
      version: each.version,
      purl: purl(each.name, each.version),
      licenses: [
        / (?:OR|AND) /.test(each.license) ? {expression: each.license} : {license: {id: each.license}},
      ],
    })),
  }
}
