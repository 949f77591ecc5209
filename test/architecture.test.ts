import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import * as data from './architecture-rules.data.ts'
import * as rules from './architecture-rules.ts'
import { readSourceFiles, readTestFiles } from './source-files.ts'

const ROOT = dirname(import.meta.dir)
const files = await readSourceFiles(ROOT)
const structure = {
  base: data.BASE,
  modules: data.MODULES,
  layers: data.LAYERS,
  edges: data.MODULE_EDGES,
}

describe('the source', () => {
  test('is read completely', () => {
    expect(files.map(({ path }) => path)).toContain('src/config/config.ts')
  })

  test('imports downwards only, and from module to module along the listed edges', () => {
    expect(rules.brokenLayers(files, structure)).toEqual([])
  })

  test('has no cycle of modules', () => {
    expect(rules.circles(data.MODULE_EDGES)).toEqual([])
  })

  test('uses restricted packages and functions only where they are allowed', () => {
    expect(rules.brokenFences(files, data.FENCES)).toEqual([])
  })

  test('imports files with their extension', () => {
    expect(rules.danglingImports(files)).toEqual([])
  })

  test('has file names that are descriptive and unique', () => {
    const paths = files.map(({ path }) => path)
    expect(rules.badNames(paths, data.FOLDER_NAMES_BANNED)).toEqual([])
  })

  test('has short files', () => {
    expect(rules.tooLong(files, data.LINES_MAX)).toEqual([])
  })

  test('has short functions with few parameters', () => {
    expect(rules.bigFunctions(files, data.FUNCTION_MAX)).toEqual([])
  })

  test('has tests that begin near the top of their file', async () => {
    const tests = await readTestFiles(ROOT)
    expect(tests.map(({ path }) => path)).toContain('test/architecture.test.ts')
    expect(rules.lateFirstTests(tests, data.LINES_BEFORE_TESTS_MAX)).toEqual([])
  })
})
