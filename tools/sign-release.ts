// Signs what tools/make-release.ts made: SHA256SUMS with an SSH key, the lists of apt with an OpenPGP key, and the provenance with
// an Ed25519 key in PEM. Each tool asks for its passphrase or security key itself; no key is copied.
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import {PAYLOAD_TYPE, signedBytes} from './package/provenance.ts'
import {ATTESTATION, PROVENANCE, SUMS} from './package/release-names.ts'
import {sourceDate} from './package/source-date.ts'

/** Keeps a signature from being taken for one of something else made with the same key. */
const NAMESPACE = 'cardctl-release'

const {values} = parseArgs({
  options: {
    out: {type: 'string', default: 'release'},
    // A file, or a public key whose private key an agent holds.
    key: {type: 'string'},
    // An address or fingerprint that gpg knows.
    'apt-key': {type: 'string'},
    'provenance-key': {type: 'string'},
  },
})
const {out, key, 'apt-key': aptKey, 'provenance-key': provenanceKey} = values
const path = (name: string): string => join(out, name)

// Nothing is signed that changed after its checksum was written.
execFileSync('sha256sum', ['--check', '--strict', '--quiet', SUMS], {cwd: out, stdio: 'inherit'})
if (key !== undefined) {
  rmSync(path(`${SUMS}.sig`), {force: true})
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', NAMESPACE, '-f', key, path(SUMS)])
  signed(`${SUMS}.sig`)
}
if (aptKey !== undefined && existsSync(path('Release'))) signRepository(aptKey)
if (provenanceKey !== undefined) attest(provenanceKey)

/** The time of a signature is that of the release, as all others are. */
function signRepository(signer: string): void {
  const settings = ['--batch', '--yes', '--local-user', signer, '--digest-algo', 'SHA512']
  const time = ['--faked-system-time', `${sourceDate()}`]
  for (const [kind, name] of [
    ['--clear-sign', 'InRelease'],
    ['--detach-sign', 'Release.gpg'],
  ] as const) {
    const argv = [...settings, ...time, '--armor', '--output', path(name), kind, path('Release')]
    execFileSync('gpg', argv, {stdio: ['inherit', 'inherit', 'pipe']})
    signed(name)
  }
}

/** https://github.com/secure-systems-lab/dsse/blob/master/envelope.md */
function attest(signer: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'cardctl-sign-'))
  try {
    const statement = readFileSync(path(PROVENANCE))
    const bytes = join(scratch, 'bytes')
    writeFileSync(bytes, signedBytes(statement))
    const openssl = (...argv: readonly string[]) =>
      execFileSync('openssl', argv, {stdio: ['inherit', 'pipe', 'inherit']})
    const sig = openssl('pkeyutl', '-sign', '-rawin', '-inkey', signer, '-in', bytes).toString('base64')
    const publicKey = openssl('pkey', '-in', signer, '-pubout', '-outform', 'DER')
    const keyid = createHash('sha256').update(publicKey).digest('hex')
    const envelope = {
      payloadType: PAYLOAD_TYPE,
      payload: statement.toString('base64'),
      signatures: [{keyid, sig}],
    }
    writeFileSync(path(ATTESTATION), `${JSON.stringify(envelope)}\n`)
    signed(ATTESTATION)
  } finally {
    rmSync(scratch, {recursive: true, force: true})
  }
}

function signed(name: string): void {
  process.stdout.write(`${path(name)}\n`)
}
