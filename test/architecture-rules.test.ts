import { describe, expect, test } from 'bun:test'
import { FENCES, FLOORS } from './architecture-rules.data.ts'
import * as rules from './architecture-rules.ts'
import { sourceFile } from './source-files.ts'

const HOUSE = {
  vocabulary: ['clock', 'log'],
  rooms: ['links', 'codes', 'clicks'],
  floors: FLOORS,
  edges: [['links', 'codes']] as [string, string][],
}

/** A file that imports these. */
const importing = (path: string, ...from: string[]) =>
  sourceFile(path, from.map((each, at) => `import { a${at} } from '${each}'\nconsole.log(a${at})`).join('\n'))

describe('floors', () => {
  const broken = (path: string, from: string) => rules.brokenFloors([importing(path, from)], HOUSE)

  test('imports downwards, beside and along a listed edge are fine', () => {
    const fine: [path: string, from: string][] = [
      ['src/clock.ts', './log.ts'],
      ['src/store/a.ts', './migrations/b.ts'],
      ['src/store/migrations/a.ts', '../b.ts'],
      ['src/store/a.ts', '../clock.ts'],
      ['src/links/a.ts', '../store/b.ts'],
      ['src/links/a.ts', '../codes/b.ts'],
      ['src/redirect/a.ts', '../links/b.ts'],
      ['src/background/a.ts', '../clicks/b.ts'],
      ['src/http/api/a.ts', '../../redirect/b.ts'],
      ['src/cli/a.ts', '../http/b.ts'],
      ['src/cli/a.ts', '../background/b.ts'],
      ['src/links/a.ts', 'zod'],
    ]
    for (const [path, from] of fine) expect(broken(path, from)).toEqual([])
  })

  test('imports upwards, sideways and out of the house are broken', () => {
    const wrong: [path: string, from: string][] = [
      ['src/clock.ts', './store/a.ts'],
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

  test('a break is said as who imports what', () => {
    expect(broken('src/store/a.ts', '../links/b.ts')).toEqual(['src/store/a.ts imports src/links/b.ts'])
  })

  test('imports of types, of re-exports, of threads and on demand count', () => {
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
      expect([text, rules.brokenFloors([sourceFile('src/store/a.ts', text)], HOUSE).length]).toEqual([
        text,
        1,
      ])
    }
  })

  test('a file that stands nowhere is broken, a test is not', () => {
    expect(rules.brokenFloors([importing('src/new.ts')], HOUSE)).toEqual(['src/new.ts stands on no floor'])
    expect(rules.brokenFloors([importing('src/attic/a.ts')], HOUSE)).toEqual([
      'src/attic/a.ts stands on no floor',
    ])
    expect(rules.brokenFloors([importing('src/store/a.test.ts', '../links/b.ts')], HOUSE)).toEqual([])
  })

  test('a circle of rooms is found', () => {
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
    ['hono', "import { z } from '@hono/zod-openapi'\nz.string()", 'src/http/api/a.ts'],
    ['kysely', "import type { Kysely } from 'kysely'", 'src/links/a.ts'],
    ['bun:sqlite', "import { Database } from 'bun:sqlite'\nnew Database()", 'src/store/sqlite.ts'],
    ['Bun.SQL', 'new Bun.SQL(url)', 'src/store/postgres.ts'],
    ['Bun.SQL', "import { SQL } from 'bun'\nnew SQL(url)", 'src/store/postgres.ts'],
    ['react', "import type { ReactNode } from 'react'", undefined],
    ['the environment', 'start(process.env.PORT)', 'src/config.ts'],
    ['the environment', "start(Bun.env['PORT'])", 'src/config.ts'],
    ['the environment', "import { env } from 'node:process'\nstart(env)", 'src/config.ts'],
    ['the current time', 'start(Date.now())', 'src/clock.ts'],
    ['the current time', 'start(new Date())', 'src/log.ts'],
    ['the current time', 'start(new Date().getTime())', 'src/clock.ts'],
    ['the current time', 'start(Temporal.Now.instant())', 'src/clock.ts'],
    ['the current time', 'start(performance.now())', 'src/clock.ts'],
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

  test('what only looks like a crossing is let be', () => {
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

describe('the hot path', () => {
  test('is all that is loaded, and neither types nor other threads', () => {
    const files = [
      sourceFile(
        'src/redirect/open-link.ts',
        "import { b } from '../links/b.ts'\nimport type { C } from './c.ts'\n" +
          "new Worker(new URL('./d.ts', import.meta.url))\nb()",
      ),
      importing('src/links/b.ts', '../log.ts', 'zod'),
      importing('src/log.ts', './links/b.ts', './log.css'),
    ]
    expect(rules.reachedFrom(files, 'src/redirect/open-link.ts')).toEqual([
      'src/links/b.ts',
      'src/log.css',
      'src/log.ts',
      'src/redirect/open-link.ts',
    ])
  })

  test('without its first file is an error', () => {
    expect(() => rules.reachedFrom([], 'src/redirect/open-link.ts')).toThrow('open-link.ts is missing')
  })
})

describe('files', () => {
  test('an import of no file is found, the missing ending too', () => {
    const files = [importing('src/clock.ts', './log', './log.ts', './clock.css'), importing('src/log.ts')]
    expect(rules.danglingImports(files)).toEqual(['src/clock.ts imports ./log, which is no file'])
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

  test('a long file is found unless it is listed, and so is a listing that is out of date', () => {
    const files = [
      sourceFile('src/log.ts', 'log()\n'.repeat(3)),
      sourceFile('src/clock.ts', 'tick()\n'.repeat(2)),
    ]
    expect(rules.tooLong(files, 2, {})).toEqual(['src/log.ts has over 2 lines'])
    expect(rules.tooLong(files, 2, { 'src/log.ts': 'a table' })).toEqual([])
    expect(rules.tooLong(files, 3, { 'src/log.ts': 'a table' })).toEqual(['src/log.ts needs no exception'])
  })

  test('a file without a test is found unless it is listed or has nothing to run', () => {
    const bare = importing('src/links/link.ts', 'zod')
    const beside = importing('src/links/link.test.ts', './link.ts')
    expect(rules.untested([bare], {})).toEqual(['src/links/link.ts has no test beside it'])
    expect(rules.untested([bare, beside], {})).toEqual([])
    expect(rules.untested([bare], { 'src/links/link.ts': 'create-link.test.ts' })).toEqual([])
    expect(rules.untested([bare, beside], { 'src/links/link.ts': 'it' })).toEqual([
      'src/links/link.ts needs no exception',
    ])
    expect(rules.untested([sourceFile('src/links/link.ts', 'export type A = 1')], {})).toEqual([])
  })
})
