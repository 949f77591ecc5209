import { decodeEntities } from '../src/destination-pages/html-entities.ts'

// What a JUnit report of `bun test` says, for the end of a run: of a long output often only the end is kept.

/** How many files of a run are named with their time, so that nobody has to search for what makes it long. */
const SLOWEST_MAX = 20

/** The files that took longest by JUnit reports of `bun test`, whose suites have the names of their files and parts of that time. */
export function slowestFiles(reports: string): string[] {
  const seconds = new Map<string, number>()
  for (const [, file = '', time] of reports.matchAll(
    /<testsuite [^>]*? file="([^"]*)"[^>]*? time="([\d.]+)"/g,
  ))
    seconds.set(file, Math.max(seconds.get(file) ?? 0, Number(time)))
  const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST_MAX)
  return slowest.map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`)
}

/** The failed tests of JUnit reports of `bun test`, each with its file and what it said. */
export function failedTests(reports: string): string[] {
  const failures = reports.matchAll(
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*>\s*<failure [^>]*?message="([^"]*)"/g,
  )
  return [...failures].map(([, name = '', group = '', file = '', message = '']) => {
    const test = [group, name].filter((part) => part !== '').join(' > ')
    return `failed ${file}: ${decodeEntities(test)}\n${decodeEntities(message).slice(0, MESSAGE_LENGTH_MAX)}`
  })
}

/** Enough of a message to see what was expected; the whole of it is further up in the output. */
const MESSAGE_LENGTH_MAX = 1500
