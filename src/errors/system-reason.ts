const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is full',
  EFBIG: 'the file may not grow that large',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'something else has its name',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** The system's code of a failed file operation, e.g. ENOENT; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = errnoOf(error)
  return code === undefined ? 'the reason is not known' : (reasons[code] ?? `the system says ${code}`)
}
