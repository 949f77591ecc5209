import { type SharedWriteLock, WriteLock } from '../../../src/store/sqlite/write-lock.ts'

/** A thread that says that it waits, takes its turn, says so, and gives it back. */
declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<SharedWriteLock>) => {
  const lock = new WriteLock(data)
  const taken = lock.acquire()
  self.postMessage('waiting')
  await taken
  self.postMessage('taken')
  lock.release()
}
