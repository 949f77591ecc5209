import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { runScript, startScript } from '../../../test/rigs/program/run-script.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { FolderInUse, lockFolder, lockForMove, lockJournal } from './folder-lock.ts'

const folders = useFolders()

test('a folder that does not exist yet is made and taken', () => {
  const lock = lockFolder(join(folders.make(), 'new', 'folder'))
  lock.release()
})

test('the second taker is refused and learns who has the folder', async () => {
  const folder = folders.make()
  const lock = lockFolder(folder)
  const expected = `The data folder ${folder} is in use by process ${process.pid} on `
  expect(await runScript('hold-folder.script.ts', folder)).toStartWith(expected)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  expect(() => lockFolder(folder)).toThrow(expected)
  expect(await runScript('hold-folder.script.ts', folder)).toStartWith(expected)
  lock.release()
})

test('a folder that was released can be taken again', () => {
  const folder = folders.make()
  for (let time = 0; time < 3; time++) lockFolder(folder).release()
})

test('the lock outlives a collection of garbage', async () => {
  const folder = folders.make()
  const { release } = lockFolder(folder)
  for (let time = 0; time < 3; time++) Bun.gc(true)
  expect(await runScript('hold-folder.script.ts', folder)).toContain(`in use by process ${process.pid}`)
  release()
})

test('the lock of a killed process is gone with it', async () => {
  const folder = folders.make()
  const holder = startScript('hold-folder.script.ts', folder)
  for await (const output of holder.stdout) {
    expect(new TextDecoder().decode(output)).toBe('held\n')
    break
  }
  expect(() => lockFolder(folder)).toThrow(`in use by process ${holder.pid}`)
  holder.kill('SIGKILL')
  await holder.exited
  lockFolder(folder).release()
})

test('a move has a lock of its own, beside the server’s', () => {
  const folder = folders.make()
  const server = lockFolder(folder)
  const move = lockForMove(folder)
  expect(() => lockForMove(folder)).toThrow(
    `The store in ${folder} is being moved by process ${process.pid} on `,
  )
  move.release()
  lockForMove(folder).release()
  server.release()
})

test('a journal has a lock of its own, which a worker can take in the folder of the process that started it', () => {
  const folder = folders.make()
  const parent = lockFolder(folder)
  const worker = lockJournal(folder)
  expect(() => lockJournal(folder)).toThrow(
    `The click journal in ${folder} is in use by process ${process.pid} on `,
  )
  worker.release()
  lockJournal(folder).release()
  parent.release()
})
