import { Glob } from 'bun'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brokenLinks, missingPaths } from './document-references.ts'

const ROOT = dirname(import.meta.dir)
const PATHS = [
  ...new Glob('{bench,build,dashboard,deploy,docs,src,test}/**').scanSync(ROOT),
  ...new Glob('*').scanSync({ cwd: ROOT, dot: true }),
]
const DOCUMENTS = readDocuments()

describe('the documents', () => {
  test.each([...DOCUMENTS.keys()])('%s names files that exist', (path) => {
    expect(missingPaths(DOCUMENTS.get(path)!, PATHS)).toEqual([])
  })

  test.each([...DOCUMENTS.keys()])('%s links to files and headings that exist', (path) => {
    expect(brokenLinks(path, DOCUMENTS, PATHS)).toEqual([])
  })
})

describe('a document', () => {
  const paths = ['src/links/edit-link.ts', 'docs/clicks.md', 'docs/codes/log.md']

  test.each([
    'Change `src/links/edit-link.ts`.',
    '`src/links/` and `src/links`',
    '`edit-link.ts`, `links/edit-link.ts`',
    '`src/**/*-link.ts`',
    'a path of another program, `lib/index.js`',
    '`GET /src/gone.ts?a`, `src/<module>/<verb>.ts`',
  ])('may say: %s', (markdown) => {
    expect(missingPaths(markdown, paths)).toEqual([])
  })

  test.each(['src/links/gone.ts', 'src/gone/', 'gone.ts', 'other/edit-link.ts', 'docs/*.txt'])(
    'may not name %s',
    (missing) => {
      expect(missingPaths(`See \`edit-link.ts\` and \`${missing}\`.`, paths)).toEqual([missing])
    },
  )

  test('may link to other documents, folders, headings and sites, and to nothing else', () => {
    const documents = new Map([
      ['docs/clicks.md', '# Clicks\n## A visitor: once\n'],
      [
        'docs/codes/log.md',
        '# Log\n[1](../clicks.md) [2](../clicks.md#a-visitor-once) [3](#log) [4](https://example.com/#a) [5](..)' +
          '[6](../gone.md) [7](../clicks.md#gone) [8](#gone)',
      ],
    ])
    expect(brokenLinks('docs/codes/log.md', documents, paths)).toEqual([
      '../gone.md',
      '../clicks.md#gone',
      '#gone',
    ])
  })
})

function readDocuments(): Map<string, string> {
  const paths = PATHS.filter((path) => path === 'README.md' || /^docs\/.*\.md$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}
