import { expect, test } from 'bun:test'
import packageFile from '../../package.json'
import { VERSION } from './version.ts'

test('the version is that of the package', () => {
  expect(VERSION).toBe(packageFile.version)
})
