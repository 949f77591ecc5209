import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import * as data from './architecture-rules.data.ts'
import * as rules from './architecture-rules.ts'
import { readSourceFiles } from './source-files.ts'

const files = await readSourceFiles(dirname(import.meta.dir))
const house = {
  vocabulary: data.VOCABULARY,
  rooms: data.ROOMS,
  floors: data.FLOORS,
  edges: data.ROOM_EDGES,
}

describe('the house', () => {
  test('is read whole', () => {
    expect(files.map(({ path }) => path)).toContain('src/config.ts')
  })

  test('imports downwards only, and from room to room along the listed edges', () => {
    expect(rules.brokenFloors(files, house)).toEqual([])
  })

  test('has no circle of rooms', () => {
    expect(rules.circles(data.ROOM_EDGES)).toEqual([])
  })

  test('keeps its fences', () => {
    expect(rules.brokenFences(files, data.FENCES)).toEqual([])
  })

  test('has a short hot path, pinned file by file', () => {
    expect(rules.reachedFrom(files, data.HOT_PATH.start)).toEqual(data.HOT_PATH.reaches)
  })

  test('imports files by their whole name', () => {
    expect(rules.danglingImports(files)).toEqual([])
  })

  test('has names that say what is done, each once', () => {
    const paths = files.map(({ path }) => path)
    expect(rules.badNames(paths, data.FOLDER_NAMES_BANNED)).toEqual([])
  })

  test('has short files', () => {
    expect(rules.tooLong(files, data.LINES_MAX, data.LONGER_FILES)).toEqual([])
  })

  test('has a test beside every file that does something', () => {
    expect(rules.untested(files, data.TESTED_ELSEWHERE)).toEqual([])
  })
})
