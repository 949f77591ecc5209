import { describe, expect, test } from 'bun:test'
import { FENCES, LAYERS } from './architecture-rules.data.ts'
import * as rules from './architecture-rules.ts'
import { sourceFile } from './source-files.ts'

const STRUCTURE = {
  base: ['runtime', 'errors'],
  modules: ['links', 'codes', 'clicks'],
  layers: LAYERS,
  edges: [['links', 'codes']] as [string, string][],
}

describe('layers', () => {
  const broken = (path: string, from: string) => rules.brokenLayers([importing(path, from)], STRUCTURE)

  test('imports downwards, within a folder and along a listed edge are allowed', () => {
    const fine: [path: string, from: string][] = [
      ['src/runtime/clock.ts', './log.ts'],
      ['src/store/a.ts', './migrations/b.ts'],
      ['src/store/migrations/a.ts', '../b.ts'],
      ['src/store/a.ts', '../runtime/clock.ts'],
      ['src/runtime/a.ts', '../errors/b.ts'],
      ['src/links/a.ts', '../store/b.ts'],
      ['src/links/a.ts', '../codes/b.ts'],
      ['src/redirect/a.ts', '../links/b.ts'],
      ['src/background/a.ts', '../clicks/b.ts'],
      ['src/http/pages/a.ts', '../../redirect/b.ts'],
      ['src/cli/a.ts', '../http/b.ts'],
      ['src/cli/a.ts', '../background/b.ts'],
      ['src/links/a.ts', 'zod'],
    ]
    for (const [path, from] of fine) expect(broken(path, from)).toEqual([])
  })

  test('imports upwards, sideways and out of the structure are violations', () => {
    const wrong: [path: string, from: string][] = [
      ['src/runtime/clock.ts', '../store/a.ts'],
      ['src/store/a.ts', '../links/b.ts'],
      ['src/codes/a.ts', '../links/b.ts'],
      ['src/links/a.ts', '../clicks/b.ts'],
      ['src/links/a.ts', '../http/b.ts'],
      ['src/redirect/a.ts', '../http/b.ts'],
      ['src/background/a.ts', '../http/b.ts'],
      ['src/http/a.ts', '../background/b.ts'],
      ['src/http/a.ts', '../cli/b.ts'],
      ['src/background/a.ts', '../cli/b.ts'],
      ['src/links/a.ts', '../../test/b.ts'],
      ['src/links/a.ts', '../elsewhere/b.ts'],
      ['src/links/a.ts', '../unlisted.ts'],
    ]
    for (const [path, from] of wrong) expect([path, from, broken(path, from).length]).toEqual([path, from, 1])
  })

  test('a violation names the file and what it imports', () => {
    expect(broken('src/store/a.ts', '../links/b.ts')).toEqual(['src/store/a.ts imports src/links/b.ts'])
  })

  test('imports of types, re-exports, threads and dynamic imports count', () => {
    const texts = [
      "import type { B } from '../links/b.ts'",
      "import {\n  type B,\n  c,\n} from '../links/b.ts'\nc()",
      "export type { B } from '../links/b.ts'",
      "export * from '../links/b.ts'",
      "type B = import('../links/b.ts').B",
      "import '../links/b.ts'",
      "const b = await import('../links/b.ts')",
      "new Worker(new URL('../links/b.ts', import.meta.url))",
    ]
    for (const text of texts) {
      expect([text, rules.brokenLayers([sourceFile('src/store/a.ts', text)], STRUCTURE).length]).toEqual([
        text,
        1,
      ])
    }
  })

  test('a file outside every layer is a violation, a test is not', () => {
    expect(rules.brokenLayers([importing('src/new.ts')], STRUCTURE)).toEqual(['src/new.ts is in no layer'])
    expect(rules.brokenLayers([importing('src/attic/a.ts')], STRUCTURE)).toEqual([
      'src/attic/a.ts is in no layer',
    ])
    expect(rules.brokenLayers([importing('src/store/a.test.ts', '../links/b.ts')], STRUCTURE)).toEqual([])
  })

  test('a cycle of modules is found', () => {
    expect(
      rules.circles([
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual([])
    expect(
      rules.circles([
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'b'],
      ]),
    ).toEqual(['b leads back to b', 'c leads back to c'])
  })
})

describe('fences', () => {
  const uses = (path: string, text: string) => rules.brokenFences([sourceFile(path, text)], FENCES)

  const CROSSINGS: [what: string, text: string, allowedIn: string | undefined][] = [
    ['hono', "import { Hono } from 'hono'\nnew Hono()", 'src/http/app.ts'],
    ['hono', "import type { Context } from 'hono/tiny'", 'src/redirect/a.ts'],
    ['hono', "import { z } from '@hono/zod-openapi'\nz.string()", 'src/http/pages/a.ts'],
    ['kysely', "import type { Kysely } from 'kysely'", 'src/links/a.ts'],
    ['bun:sqlite', "import { Database } from 'bun:sqlite'\nnew Database()", 'src/store/sqlite.ts'],
    ['Bun.SQL', 'new Bun.SQL(url)', 'src/store/postgres.ts'],
    ['Bun.SQL', "import { SQL } from 'bun'\nnew SQL(url)", 'src/store/postgres.ts'],
    ['react', "import type { ReactNode } from 'react'", undefined],
    ['the environment', 'start(process.env.PORT)', 'src/config/config.ts'],
    ['the environment', "start(Bun.env['PORT'])", 'src/config/config.ts'],
    ['the environment', "import { env } from 'node:process'\nstart(env)", 'src/config/config.ts'],
    ['the current time', 'start(Date.now())', 'src/runtime/clock.ts'],
    ['the current time', 'start(new Date())', 'src/runtime/log.ts'],
    ['the current time', 'start(new Date().getTime())', 'src/runtime/clock.ts'],
    ['the current time', 'start(Temporal.Now.instant())', 'src/runtime/clock.ts'],
    ['the current time', 'start(performance.now())', 'src/runtime/clock.ts'],
    ['an outgoing fetch', 'start(await fetch(url))', undefined],
    ['an outgoing fetch', 'if (await fetch(url)) { start() }', undefined],
    ['an outgoing fetch', 'globalThis.fetch(url)', undefined],
    ['an HTTP status', 'start(new Response(null, { status: 404 }))', 'src/redirect/a.ts'],
    ['an HTTP status', 'context.status(404)', 'src/http/app.ts'],
  ]

  for (const [what, text, allowedIn] of CROSSINGS) {
    test(`${what} is fenced in: ${text.replace('\n', '; ')}`, () => {
      expect(uses('src/cli/a.ts', text)).toEqual([`src/cli/a.ts uses ${what}`])
      expect(uses('src/cli/a.test.ts', text)).toEqual([])
      if (allowedIn !== undefined) expect(uses(allowedIn, text)).toEqual([])
    })
  }

  test('code that only looks like a violation is allowed', () => {
    const harmless = [
      '// process.env and Date.now() are read elsewhere\nstart()',
      'new Date(us / 1000)',
      'type Clock = { now: typeof Date.now }',
      'Bun.serve({ fetch(request) { return answer(request) } })',
      'Bun.serve({ async fetch(request: Request, server: Server): Promise<Response> { return answer(request) } })',
      'app.fetch(request)',
      "const link = { status: 'active' }",
    ]
    for (const text of harmless) expect([text, uses('src/cli/a.ts', text)]).toEqual([text, []])
  })
})

describe('files', () => {
  test('an import of a missing file is found, and one without its extension', () => {
    const files = [
      importing('src/runtime/clock.ts', './log', './log.ts', './clock.css'),
      importing('src/runtime/log.ts'),
    ]
    expect(rules.danglingImports(files)).toEqual(['src/runtime/clock.ts imports ./log, which is no file'])
  })

  test('a bad name is found', () => {
    const bad = (...paths: string[]) => rules.badNames(paths, ['utils'])
    expect(
      bad('src/links/create-link.ts', 'src/links/create-link.test.ts', 'src/store/0001-start.ts'),
    ).toEqual([])
    expect(bad('src/links/createLink.ts')).toEqual(['src/links/createLink.ts is not in kebab-case'])
    expect(bad('src/links/index.ts')).toEqual(['src/links/index.ts says nothing by its name'])
    expect(bad('src/utils/text.ts', 'src/links/utils.ts')).toHaveLength(2)
    expect(bad('src/links/link.ts', 'src/http/link.ts')).toHaveLength(2)
    expect(bad('src/links/link.test.ts', 'src/http/link.test.ts')).toEqual([])
  })

  test('a long file is found', () => {
    const files = [
      sourceFile('src/runtime/log.ts', 'log()\n'.repeat(3)),
      sourceFile('src/runtime/clock.ts', 'tick()\n'.repeat(2)),
    ]
    expect(rules.tooLong(files, 2)).toEqual(['src/runtime/log.ts has over 2 lines'])
    expect(rules.tooLong(files, 3)).toEqual([])
  })

  test('code before the first test is found; imports, comments and blank lines are none', () => {
    const late = (...lines: string[]) =>
      rules.lateFirstTests([{ path: 'src/links/link.test.ts', text: lines.join('\n') }], 2)
    const imports = ["import { test } from 'bun:test'", 'import {', '  link,', "} from './link.ts'"]
    const comments = ['// Of links.', '', '/**', ' * What they', ' * share.', ' */']
    const [setup, each] = [['const one = 1', "describe('a link', () => {"], "  test.each<string>(['a'])("]
    expect(late(...imports, ...comments, ...setup, each)).toEqual([])
    const violation = ['src/links/link.test.ts has over 2 lines of code before its first test']
    expect(late(...imports, ...setup, '  const two = 2', each)).toEqual(violation)
    expect(late(...imports, ...setup, each, '  const two = 2')).toEqual([])
    expect(late(...setup, 'for (const name of NAMES)')).toEqual(violation)
  })

  test('a long function and a long list of parameters are found, inside other functions too', () => {
    const found = (text: string) =>
      rules.bigFunctions([sourceFile('src/links/link.ts', text)], { lines: 3, parameters: 2 })
    expect(found('export function link(a: 1, b: 2) {\n  return a\n}')).toEqual([])
    expect(found('export function link() {\n  start()\n\n}')).toEqual([
      'src/links/link.ts:1 link has 4 lines',
    ])
    expect(found('const x = {\n  make: (a, b, c) => a,\n}')).toEqual([
      'src/links/link.ts:2 make has 3 parameters',
    ])
    expect(found('class A {\n  constructor(a, b, c) {}\n  open(a, b, c) {}\n}')).toEqual([
      'src/links/link.ts:2 constructor has 3 parameters',
      'src/links/link.ts:3 open has 3 parameters',
    ])
    expect(
      found('declare function link(a: 1, b: 2, c: 3): void\ntype F = (a: 1, b: 2, c: 3) => void'),
    ).toEqual([])
  })
})

/** A file that imports these. */
const importing = (path: string, ...from: string[]) =>
  sourceFile(path, from.map((each, at) => `import { a${at} } from '${each}'\nconsole.log(a${at})`).join('\n'))
