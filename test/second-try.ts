/**
 * Suites that may be run a second time, alone: a browser on a machine that runs three of them at once is
 * sometimes late, and thousands of steps in a row make that likely. What fails twice has failed.
 */
const MAY_BE_LATE = 'test/browser/'

/** More than these is no accident. */
const SUITES_MAX = 3

/** The files in which a test failed, by a JUnit report of `bun test`. */
export function failedFiles(report: string): string[] {
  const failed = new Set<string>()
  for (const [tag] of report.matchAll(/<testsuite [^>]*>/g)) {
    const file = / file="([^"]*)"/.exec(tag)?.[1]
    if (file !== undefined && !tag.includes(' failures="0"')) failed.add(file)
  }
  return [...failed]
}

export const mayRunAgain = (files: readonly string[]): boolean =>
  files.length > 0 && files.length <= SUITES_MAX && files.every((file) => file.startsWith(MAY_BE_LATE))
