/**
 * Suites that may be run a second time, alone: browsers, proxies, nodes and crowds of clients are sometimes late on a machine
 * that runs three such suites at once. What fails twice has failed.
 */
const MAY_BE_LATE = /^test\/(browser|faults|hostile|nodes|thorough)\//

/** More than these is no accident. */
const SUITES_MAX = 4

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
  files.length > 0 && files.length <= SUITES_MAX && files.every((file) => MAY_BE_LATE.test(file))
