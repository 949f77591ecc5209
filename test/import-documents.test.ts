import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SOURCES } from '../src/import/sources/all-sources.ts'
import { PROGRAMS } from './rigs/import/all-truths.ts'

const ROOT = dirname(import.meta.dir)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const pageOf = (source: string) => read(`docs/importing/from-${source}.md`)

test.each(Object.keys(SOURCES))('%s has a page, to which README and overview link', (source) => {
  const page = pageOf(source)
  expect(page.split('\n').filter((line) => line.startsWith('## '))).toEqual(HEADINGS)
  expect(page).toContain(`tern import ${source} `)
  for (const part of ['#keep-your-domain', '#what-does-not-come-along', '#going-back'])
    expect(page).toContain(`](../importing.md${part})`)
  expect(read('README.md')).toContain(`(docs/importing/from-${source}.md)`)
  expect(read('docs/importing.md')).toContain(`| \`${source}\``)
  expect(read('docs/importing.md')).toContain(`(importing/from-${source}.md)`)
})

const HEADINGS = [
  '## 1. Export',
  '## 2. Import',
  '## 3. Switch the domain',
  '## What comes along',
  '## What is lost',
  '## Going back',
]

test.each(PROGRAMS)('the page of $source says what the program says that is lost', ({ source }) => {
  const sentences = sentencesIn(read(`src/import/sources/${source}.ts`))
  const page = withoutLineEnds(pageOf(source))
  expect(sentences.filter((sentence) => !page.includes(`“${sentence}”`))).toEqual([])
})

/** Whole sentences in quotes. Those about whole files begin with “is”. Values are written as “…”. */
const sentencesIn = (code: string): string[] =>
  [...code.matchAll(/(['`])([A-Z][^'`\n]* [^'`\n]*\.)\1/g)].map(([, , text]) =>
    text!.replaceAll(/\$\{[^}]*\}/g, '…'),
  )

const withoutLineEnds = (markdown: string): string => markdown.replaceAll(/\n */g, ' ')

test('sentences are found in code', () => {
  const code = `lost(A ? ['It is lost.'] : [\`At \${a.b!} it goes.\`], 'is no file.', 'Slug')`
  expect(sentencesIn(code)).toEqual(['It is lost.', 'At … it goes.'])
})
