const closings: (() => Promise<void>)[] = []

/** For what the test files of one process share: it is closed after the last of them. */
export const closeAtEnd = (close: () => Promise<void>): void => void closings.push(close)

export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0)) await close()
}
