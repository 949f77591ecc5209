import { appendFileSync } from 'node:fs'

/** The file where suites report skips to test/run-tests.ts. */
export const SKIPS_FILE_VARIABLE = 'TEST_SKIPS_FILE'
/** Set by `npm test`, which leaves PostgreSQL to `npm run test:all`. */
export const QUICK_VARIABLE = 'TEST_QUICK'

export const isQuickRun = Boolean(process.env[QUICK_VARIABLE])

/**
 * Reports what is not tested here and how to change that. Always true, so that it can be part of the condition:
 * `test.skipIf(!chromium && skipBecause('the dashboard in a browser', 'apt-get install chromium'))`
 */
export function skipBecause(what: string, howToGet: string): true {
  const file = process.env[SKIPS_FILE_VARIABLE]
  // A quick run summarizes what it leaves out.
  const isLeftOut = isQuickRun && howToGet.includes('postgresql')
  if (file && !isLeftOut) appendFileSync(file, `${what}: ${howToGet}\n`.replaceAll(/\n(?=.)/g, ' '))
  return true
}
