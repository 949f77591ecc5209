/** Of a long failure the end says the most: what was expected, and where. */
const LINES_MAX = 40

const ENDED = /^\((pass|fail|skip|todo)\) /
const FILE = /^\S+\.test\.tsx?:$/
const OUTSIDE_OF_TESTS = '# Unhandled error between tests'
/** From here on bun says once more what it said. */
const SUMMARY = /^\d+ tests? (failed|skipped):$/

/** What `bun test` said of each failure, after the name of its file: thousands of tests may have passed since. */
export function failures(output: string): string[] {
  const found: string[] = []
  let [file, said]: [string, string[]] = ['', []]
  const lines = output.split('\n')
  for (const [index, line] of lines.entries()) {
    if (SUMMARY.test(line)) break
    if (FILE.test(line)) {
      ;[file, said] = [line, []]
      continue
    }
    said.push(line)
    const unloadable = line.startsWith('error: ') && said.includes(OUTSIDE_OF_TESTS)
    if (line.startsWith('(fail) ') || unloadable) {
      const reason = lines.slice(index + 1, index + 2).filter((next) => next.startsWith('  ^ '))
      found.push([file, ...said.slice(-LINES_MAX), ...reason].join('\n'))
    }
    if (ENDED.test(line) || unloadable) said = []
  }
  return found
}
