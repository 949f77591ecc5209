import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceHash } from './source-hash.ts'

let root: string
let before: string

beforeAll(makeRoot)

afterAll(() => rmSync(root, { recursive: true }))

test('another text, another name and another version of a package are another build', async () => {
  const hashes = [
    await after('dashboard/other.tsx', 'a'),
    await after('dashboard/third.tsx', 'a'),
    await after('src/http/pages/theme.css', ':root {}'),
  ]
  writeFileSync(join(root, 'package.json'), '{"dependencies": {"react": "20.0.0"}}')
  hashes.push(await sourceHash(root))
  cpSync('package.json', join(root, 'package.json'))
  expect(new Set([before, ...hashes]).size).toBe(5)
  expect(await sourceHash(root)).toBe(before)
})

test('what the build does not read makes no difference', async () => {
  for (const path of ['dashboard/main.test.tsx', 'src/links/link.ts']) {
    expect(await after(path, 'b')).toBe(before)
  }
})

async function makeRoot(): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'tern-hash-'))
  for (const folder of ['dashboard', 'src/http/pages', 'src/links']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  cpSync('package.json', join(root, 'package.json'))
  writeFileSync(join(root, 'dashboard/main.tsx'), 'a')
  before = await sourceHash(root)
}

const after = async (path: string, text: string) => {
  writeFileSync(join(root, path), text)
  const hash = await sourceHash(root)
  rmSync(join(root, path))
  return hash
}
