/** Linux reports EIO for a terminal whose window was closed; other systems may report ENXIO. */
const CODES: readonly unknown[] = ['EIO', 'ENXIO']

/** Whether reading from or writing to a stream failed because it is a terminal that is gone. */
export const isLostTerminal = (stream: object, error: unknown): boolean =>
  'isTTY' in stream && stream.isTTY === true && CODES.includes(errnoOf(error))

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit on file sizes is reached',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'something else has this name',
  EISDIR: 'it is a folder',
  ENOENT: 'it does not exist',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'its name is too long',
}

const OTHER_FOLDER =
  'Only where nothing was ever sent, name another folder that is kept: CARDCTL_DATA_DIR, or CARDCTL_CONFIG_DIR for profiles.'

const remedies: Readonly<Record<string, string>> = {
  EFBIG:
    'Raise the limit of the user that runs cardctl: ulimit -f unlimited, or LimitFSIZE=infinity in a systemd unit.',
  EMFILE:
    'Raise the limit of the user that runs cardctl: ulimit -n 1024, or LimitNOFILE=1024 in a systemd unit.',
  EIO: `See the kernel's log: dmesg. The disk may be failing. ${OTHER_FOLDER}`,
  EROFS: `Have the file system mounted so that it can be written; if it turned read-only by itself, see dmesg. ${OTHER_FOLDER}`,
}

/** What an operation on a file may fail with. */
export const fileReasons: Readonly<Record<string, string>> = reasons

/** The system's code of a failed file operation, for example ENOENT; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Why the system refused, as a clause without a full stop. */
export function reasonOf(error: unknown): string {
  const code = errnoOf(error)
  return code === undefined ? 'the reason is unknown' : (reasons[code] ?? `the system says ${code}`)
}

/** What to do about it, if that is not about the file alone. */
export const remedyOf = (error: unknown): string | undefined => remedies[errnoOf(error) ?? '']
