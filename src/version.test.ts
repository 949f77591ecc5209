import { expect, test } from 'bun:test'
import packageFile from '../package.json'
import { TERN_VERSION } from './version.ts'

test('the version is that of the package', () => {
  expect(TERN_VERSION).toBe(packageFile.version)
})
