import pjson from '../../package.json' with {type: 'json'}
import checksums from '../runtime-checksums.json' with {type: 'json'}
import {digestOf} from './digest.ts'

/** Says of which sources files were made, and how: https://slsa.dev/spec/v1.0/provenance in https://in-toto.io/Statement/v1 */
export function provenanceOf(files: Readonly<Record<string, string>>, commit: string, date: number): string {
  const subject = Object.entries(files).map(([name, sha256]) => ({name, digest: {sha256}}))
  const runtimes = Object.entries(checksums).map(([platform, sha256]) => ({
    name: `Node.js ${pjson.devDependencies.node} for ${platform}`,
    digest: {sha256},
  }))
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://cardctl.invalid/tools/make-release.ts',
        externalParameters: {version: pjson.version, SOURCE_DATE_EPOCH: date},
        resolvedDependencies: [
          {name: 'the sources', digest: {gitCommit: commit}},
          {name: 'package-lock.json', digest: {sha256: digestOf('package-lock.json')}},
          ...runtimes,
        ],
      },
      runDetails: {builder: {id: 'https://cardctl.invalid/tools/package/README.md'}},
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** What is signed of a statement: https://github.com/secure-systems-lab/dsse/blob/master/protocol.md */
export const signedBytes = (statement: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${statement.length} `),
    statement,
  ])
