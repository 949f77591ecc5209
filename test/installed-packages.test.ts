import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import packageFile from '../package.json'

const ROOT = dirname(import.meta.dir)

const lockFile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}
const lockedPackages = Object.entries(lockFile.packages).filter(([path]) => path !== '')
/** The lock file also names what only other platforms install. */
const installedPackages = lockedPackages.filter(([path]) => existsSync(join(ROOT, path)))

/** The oldest Node.js that package.json takes, and the oldest of the lines after it that are still supported. */
const NODE_VERSIONS = ['20.19.0', '22.12.0', '24.0.0']

test('every package installs without a warning on the Node.js versions that Tern asks for', () => {
  const oldest = packageFile.engines.node.replace('>=', '')
  expect(NODE_VERSIONS[0]).toStartWith(oldest)
  const unsupported = NODE_VERSIONS.flatMap((version) =>
    installedPackages
      .filter(([, { engines }]) => engines?.node && !Bun.semver.satisfies(version, engines.node))
      .map(([path, { engines }]) => `${path} wants Node.js ${engines!.node}, not ${version}`),
  )
  expect(unsupported).toEqual([])
})

test('no package is deprecated', () => {
  expect(lockedPackages.filter(([, { deprecated }]) => deprecated).map(([path]) => path)).toEqual([])
})

test('the README names the Node.js version that package.json asks for', () => {
  const oldest = packageFile.engines.node.replace('>=', '')
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`Node.js ${oldest} or newer`)
})

type LockedPackage = { engines?: { node?: string }; deprecated?: string }
