// Error lines as Node.js, OpenSSL, PostgreSQL, SQLite and shells print them. People paste these.
import type {ErrorCode} from '../../errors/registry.ts'

/** With commas between; any words at each asterisk. */
export const PRINTED_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused, failed to connect to, could not connect to server',
  ECONNRESET:
    'socket hang up, connection reset by peer, network socket disconnected, empty reply from server',
  ENOTFOUND:
    'name or service not known, nodename nor servname provided, could not resolve host, no such host',
  EAI_AGAIN: 'temporary failure in name resolution, could not translate host name',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out, operation timed out, connect timeout error',
  UND_ERR_SOCKET: 'other side closed, fetch failed',
  EACCES: 'permission denied, access is denied, access denied',
  EPERM: 'operation not permitted',
  EROFS: 'read only file system, file system is read only',
  ENOSPC: 'no space left on device, disk is full, disk full, not enough space on the disk',
  EDQUOT: 'disk quota exceeded, quota is used up',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory, is a directory',
  ENOENT: 'no such file or directory, cannot find the path specified',
  ENAMETOOLONG: 'file name too long, name too long',
  EADDRINUSE: 'address already in use, address in use, port is already allocated',
  EADDRNOTAVAIL: 'address not available, cannot assign requested address',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self signed certificate in certificate chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unable to verify the first certificate, unable to verify leaf signature',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'unable to get local issuer certificate, unable to get issuer certificate, certificate signed by unknown authority, certificate verify failed, ssl certificate problem',
  INVALID_PURPOSE: 'unsuitable certificate purpose, unsupported certificate purpose',
  CERT_HAS_EXPIRED: 'certificate has expired, certificate is expired',
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID:
    "does not match certificate's altnames, no alternative certificate subject name matches",
  ERR_SSL_WRONG_VERSION_NUMBER: 'wrong version number, packet length too long',
  EPROTO: 'ssl routines, alert handshake failure, sslv3 alert, tlsv1 alert',
  '25006': 'in a read only transaction',
  '26000': 'prepared statement * does not exist',
  '42P05': 'prepared statement * already exists',
  '28P01': 'password authentication failed',
  '28000': 'no pg_hba.conf entry, role * does not exist, role * is not permitted to log in',
  '3D000': 'database * does not exist',
  '40001': 'could not serialize access',
  '40P01': 'deadlock detected',
  '42501': 'permission denied for, must be owner of',
  '42P01': 'relation * does not exist',
  '53100': 'could not extend file',
  '53300':
    'too many clients already, remaining connection slots are reserved, too many connections for, no more connections allowed',
  '55P03': 'could not obtain lock, canceling statement due to lock timeout',
  '57014': 'canceling statement due to',
  '57P01':
    'terminating connection due to, connection terminated unexpectedly, server closed the connection unexpectedly',
  '57P03': 'database system is starting up, database system is shutting down, database system is in recovery',
}

interface Printed {
  /** As it is called. */
  readonly name: string
  readonly printed: string
  /** What cardctl ends with then. */
  readonly code?: ErrorCode
  /** A clause. */
  readonly says: string
  /** The best first. */
  readonly pages?: readonly string[]
}

const INSTALLED = ['docs/installation.md', 'docs/nightly-job.md']

export const PRINTED_BY_PROGRAMS: readonly Printed[] = [
  {
    name: 'SQLITE_BUSY',
    printed: 'database is locked, database table is locked, database schema is locked',
    code: 'FILE_LOCKED',
    says: 'another process keeps the database locked',
  },
  {
    name: 'SQLITE_FULL',
    printed: 'database or disk is full',
    code: 'DISK_FULL',
    says: 'the disk is full',
  },
  {
    name: 'SQLITE_CORRUPT',
    printed: 'database disk image is malformed, malformed database schema',
    code: 'STORE_DAMAGED',
    says: 'the content of a database is invalid',
  },
  {
    name: 'SQLITE_NOTADB',
    printed: 'file is not a database, file is encrypted or is not a database',
    code: 'STORE_DAMAGED',
    says: 'the file is not a database',
  },
  {
    name: 'SQLITE_READONLY',
    printed: 'attempt to write a readonly database',
    code: 'STORE_UNAVAILABLE',
    says: 'the database may only be read',
  },
  {
    name: 'SQLITE_CANTOPEN',
    printed: 'unable to open database file',
    code: 'STORE_UNAVAILABLE',
    says: 'the database cannot be opened',
  },
  {
    name: 'SQLITE_IOERR',
    printed: 'disk i/o error, input/output error',
    code: 'STORE_UNAVAILABLE',
    says: 'reading or writing the disk failed',
  },
  {
    name: 'EMFILE',
    printed: 'too many open files',
    says: 'the process has more files open than it may: raise ulimit -n, and run the command again',
  },
  {
    name: 'ENFILE',
    printed: 'too many open files in system, file table overflow',
    says: 'the machine has more files open than it may: end what keeps them open, and run the command again',
  },
  {
    name: 'ENOMEM',
    printed:
      'cannot allocate memory, not enough memory, javascript heap out of memory, reached heap limit, out of memory, oom killer, oomkilled',
    says: 'the memory was used up. See cardctl requests list for what was sent, and continue a bulk job with cardctl bulk resume last',
  },
  {
    name: 'SIGKILL',
    printed: 'segmentation fault, core dumped, code 137, code 139, signal 9, status 9 kill',
    says: 'the process was ended from outside. See cardctl requests list for what was sent, and continue a bulk job with cardctl bulk resume last',
  },
  {
    name: 'HTML',
    printed: 'unexpected token <, is not valid json, unexpected end of json input, doctype html',
    says: 'something between cardctl and the service, such as a proxy, sent a page instead of JSON. See cardctl doctor',
  },
  {
    name: 'command not found',
    printed:
      'command not found, cardctl not found, cardctl no such file or directory, env node no such file or directory, is not recognized as, unknown command cardctl, not found in path',
    says: 'the shell, cron or the unit has no folder with the program in its PATH',
    pages: INSTALLED,
  },
  {
    name: 'cannot run here',
    printed:
      'exec format error, cannot execute binary file, bad cpu type in executable, glibc * not found, cannot find module, unsupported engine, not compatible with your version of node',
    says: 'the program is for another system, or needs another Node.js',
    pages: ['docs/installation.md', 'README.md'],
  },
]
