import { appendFileSync } from 'node:fs'

/** Where suites leave word for test/run-all.ts. */
export const SKIPS_FILE_VARIABLE = 'TEST_SKIPS_FILE'

/**
 * Says what is not tested here and how to have it tested. Always true, so that it can stand in the condition:
 * `test.skipIf(!chromium && skipBecause('the dashboard in a browser', 'apt-get install chromium'))`
 */
export function skipBecause(what: string, howToGet: string): true {
  const file = process.env[SKIPS_FILE_VARIABLE]
  if (file) appendFileSync(file, `${what}: ${howToGet}\n`.replaceAll(/\n(?=.)/g, ' '))
  return true
}
