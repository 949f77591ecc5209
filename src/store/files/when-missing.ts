/** For what is caught: this value if the file or folder does not exist, which another process may remove at any moment. */
export const whenMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return value
  }
