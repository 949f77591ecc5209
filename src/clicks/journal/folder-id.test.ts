import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'
import { realFiles } from './files.ts'
import { makeFolderId, readFolderId } from './folder-id.ts'

const folders = useSharedFolders()

test('a folder that does not exist has no id, and the first use makes one', async () => {
  const folder = folders.make()
  expect(await readFolderId(realFiles, join(folder, 'journal'))).toBeUndefined()
  const id = await makeFolderId(realFiles, folder)
  expect([await readFolderId(realFiles, folder), await makeFolderId(realFiles, folder)]).toEqual([id, id])
})

test('a folder that cannot be listed at the moment keeps its id', async () => {
  const folder = folders.make()
  const id = await makeFolderId(realFiles, folder)
  const failing = {
    ...realFiles,
    list: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })),
  }
  await expect(makeFolderId(failing, folder)).rejects.toThrow('EIO')
  expect(await readFolderId(realFiles, folder)).toBe(id)
})
