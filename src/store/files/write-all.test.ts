import { describe, expect, test } from 'bun:test'
import { writeAll, writeAllAsync } from './write-all.ts'

const WAYS = {
  async writeAll(file: ReturnType<typeof slowFile>) {
    writeAll(file, Buffer.from('abcde'), 2)
  },
  writeAllAsync: (file: ReturnType<typeof slowFile>) =>
    writeAllAsync({ write: async (...call) => file.write(...call) }, Buffer.from('abcde'), 2),
}

describe.each(Object.entries(WAYS))('%s', (_name, write) => {
  test.each([[[]], [[1, 3]], [[1, 1, 1, 1, 1]]])(
    'writes all, however few are taken at once: %j',
    async (taken) => {
      const file = slowFile(taken)
      await write(file)
      expect(file.content.toString()).toBe('..abcde.')
    },
  )

  test('gives up when the disk refuses, or takes nothing', async () => {
    expect(write(slowFile([2, 'full']))).rejects.toThrow('ENOSPC')
    expect(write(slowFile([2, 0]))).rejects.toThrow('The disk took no bytes.')
  })
})

/** A file that takes a number of bytes at each call; 'full' refuses with an error. */
function slowFile(taken: (number | 'full')[]) {
  const content = Buffer.alloc(8, '.')
  const write = (bytes: Uint8Array, position: number): number => {
    const count = taken.shift() ?? bytes.length
    if (count === 'full') throw new Error('ENOSPC')
    content.set(bytes.subarray(0, count), position)
    return count
  }
  return { content, write }
}
