import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { realFiles as files } from './files.ts'

const folders = temporaryFolders()
let folder: string

beforeEach(() => {
  folder = folders.make()
})
afterEach(folders.remove)

test('a new file is written at the given place, cut, and synced', async () => {
  const path = join(folder, 'new')
  const file = await files.createNew(path)
  expect(await file.write(Buffer.from('hello world'), 0)).toBe(11)
  expect(await file.write(Buffer.from('W'), 6)).toBe(1)
  await file.truncate(7)
  await file.datasync()
  await file.close()
  await files.syncFolder(folder)
  expect([readFileSync(path, 'utf8'), await files.sizeOf(path)]).toEqual(['hello W', 7])
})

test('a file that exists is never opened as a new one', async () => {
  writeFileSync(join(folder, 'old'), 'kept')
  await expect(files.createNew(join(folder, 'old'))).rejects.toThrow('EEXIST')
  expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('kept')
})

test('reading gives as many bytes as there are', async () => {
  const path = join(folder, 'ten')
  writeFileSync(path, '0123456789')
  expect((await files.read(path, 2, 3)).toString()).toBe('234')
  expect((await files.read(path, 8, 100)).toString()).toBe('89')
  expect(await files.read(path, 10, 100)).toHaveLength(0)
  await expect(files.read(join(folder, 'gone'), 0, 1)).rejects.toThrow('ENOENT')
})

test('replacing puts the whole file in place of what was there, and leaves nothing else', async () => {
  const path = join(folder, 'name')
  await files.replace(path, Buffer.from('a long first text'))
  await files.replace(path, Buffer.from('short'))
  expect(readFileSync(path, 'utf8')).toBe('short')
  expect(await files.list(folder)).toEqual(['name'])
})

test('two who replace a file at once both succeed', async () => {
  const path = join(folder, 'name')
  const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`)
  await Promise.all(texts.map((text) => files.replace(path, Buffer.from(text))))
  expect(texts).toContain(readFileSync(path, 'utf8'))
  expect(await files.list(folder)).toEqual(['name'])
})

test('a replacement that fails leaves nothing', async () => {
  mkdirSync(join(folder, 'a folder', 'with content'), { recursive: true })
  await expect(files.replace(join(folder, 'a folder'), Buffer.from('text'))).rejects.toThrow()
  expect(await files.list(folder)).toEqual(['a folder'])
})

test('files are listed sorted, copied, renamed and removed; folders are made on the way', async () => {
  const inner = join(folder, 'a', 'b')
  await files.makeFolder(inner)
  await files.makeFolder(inner)
  for (const name of ['c', 'a', 'b']) writeFileSync(join(inner, name), name)
  await files.copy(join(inner, 'a'), join(inner, 'd'))
  await files.rename(join(inner, 'b'), join(inner, 'e'))
  await files.unlink(join(inner, 'c'))
  expect(await files.list(inner)).toEqual(['a', 'd', 'e'])
  expect(readFileSync(join(inner, 'd'), 'utf8')).toBe('a')
})
