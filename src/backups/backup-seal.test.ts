import { expect, test } from 'bun:test'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { copyUnsealed, sealFile } from './backup-seal.ts'

const folders = useFolders()

/** More than is read at once. */
const CONTENT = Buffer.alloc(1024 * 1024 + 500, 'some content ')

test('what is sealed comes out as it went in', () => {
  const { path, copy } = sealed()
  copyUnsealed(path, copy)
  expect(readFileSync(copy).equals(CONTENT)).toBe(true)
  expect(statSync(path).size).toBe(CONTENT.length + 72)
})

test('the usual tools check the seal', () => {
  const { path } = sealed()
  const sum = Bun.spawnSync(['sh', '-c', `head -c -72 ${path} | sha256sum`]).stdout.toString()
  expect(readFileSync(path).subarray(-72).toString()).toBe(`sha256:${sum.slice(0, 64)}\n`)
})

test('one flipped bit anywhere, a byte less or a byte more, and it is refused', () => {
  const small = Buffer.from('content')
  const { path, copy } = sealed(small)
  const good = readFileSync(path)
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = Buffer.from(good)
    bad[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, bad)
    expect(() => copyUnsealed(path, copy)).toThrow(/is damaged, cut short, or no backup/)
  }
  for (let size = 0; size < good.length; size++) {
    writeFileSync(path, good)
    truncateSync(path, size)
    expect(() => copyUnsealed(path, copy)).toThrow(/is damaged, cut short, or no backup/)
  }
  writeFileSync(path, Buffer.concat([good, Buffer.from('x')]))
  expect(() => copyUnsealed(path, copy)).toThrow(/is damaged, cut short, or no backup/)
})

function sealed(content = CONTENT) {
  const folder = folders.make()
  const path = join(folder, 'sealed')
  writeFileSync(path, content)
  sealFile(path)
  return { path, copy: join(folder, 'copy') }
}
