import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { realFiles } from './files.ts'
import { encodeHeader, HEADER_BYTES, NO_SEGMENT, type SegmentHeader } from './segment.ts'
import { SegmentHeaders } from './segment-headers.ts'

const folders = useFolders()

test('a whole header is read, whatever follows it', async () => {
  const { heads, log, path } = openHeads(Buffer.concat([encodeHeader(HEADER), Buffer.from('more')]))
  expect([await heads.find(path), await heads.read(path)]).toEqual([HEADER, HEADER])
  expect(log.lines).toEqual([])
})

const HEADER: SegmentHeader = {
  format: 1,
  segment: '0193b1c0-0000-7000-8000-0000000000a1',
  folder: '0193b1c0-0000-7000-8000-0000000000a2',
  boot: '0193b1c0-0000-7000-8000-0000000000a3',
  node: 'here',
  previous: NO_SEGMENT,
  previousEnd: 0,
  baseCount: 7,
  createdAtUs: 1,
}

test.each([
  ['that is gone', undefined],
  ['that is not whole', encodeHeader(HEADER).subarray(0, HEADER_BYTES - 1)],
])('a file %s is passed over when it was found, and an alarm when it was announced', async (_, bytes) => {
  const { heads, log, path } = openHeads(bytes)
  expect(await heads.find(path)).toBeUndefined()
  expect(log.lines).toEqual([])
  expect(await heads.read(path)).toBeUndefined()
  expect(log.errors()).toEqual(['A journal segment has no readable header.'])
})

test('a header that cannot be used is an alarm, once', async () => {
  const bytes = Buffer.from(encodeHeader(HEADER))
  bytes[100]! ^= 1
  const { heads, log, path } = openHeads(bytes)
  for (let i = 0; i < 3; i++) expect(await heads.find(path)).toBeUndefined()
  expect(log.errors()).toEqual(['A journal segment has no readable header.'])
})

test('a disk that cannot be read is an error, not a missing file', async () => {
  const { heads } = openHeads()
  await expect(heads.find(folders.make())).rejects.toThrow('EISDIR')
})

function openHeads(bytes?: Uint8Array) {
  const path = join(folders.make(), 'segment')
  if (bytes !== undefined) writeFileSync(path, bytes)
  const log = recordingLog()
  return { heads: new SegmentHeaders({ files: realFiles, log }), log, path }
}
