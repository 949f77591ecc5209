/** By the error code of the system: why a file cannot be read or written. */
const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already, and not as a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EIO: 'the disk has read or write errors',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links lead in circles',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** Why a file cannot be read or written, for the end of a sentence that names it: "it is a folder". */
export function fileErrorReason(error: unknown): string {
  const { code = String(error) } = error as { code?: string }
  return REASONS[code] ?? code
}
