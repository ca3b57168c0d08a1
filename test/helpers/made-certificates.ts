// Certificates by openssl, for a server and a user of PostgreSQL.
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')

/** An authority with certificates for a server and for the user `app`. */
export function certificates(at: (name: string) => string, name: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, {stdio: 'pipe'})
  const [ca, caKey] = [at(`${name}-ca.pem`), at(`${name}-ca.key`)]
  openssl('req', '-x509', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca)
  const pair = (of: string, alternative: string) => {
    const [cert, key] = [at(`${name}-${of}.pem`), at(`${name}-${of}.key`)]
    const by = ['-CA', ca, '-CAkey', caKey, '-addext', `subjectAltName=DNS:${alternative}`]
    openssl('req', '-x509', ...NEW_KEY, '-subj', `/CN=${of}`, ...by, '-keyout', key, '-out', cert)
    return {cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8')}
  }
  return {ca: readFileSync(ca, 'utf8'), server: pair('server', 'localhost'), client: pair('app', 'app')}
}
