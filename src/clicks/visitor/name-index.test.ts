import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { botNameFiles } from '../../../build/write-bot-names.ts'
import { readRows } from '../../../test/rigs/clicks/user-agent-measures.ts'
import botNames from './bot-names.txt' with { type: 'text' }
import { NameIndex } from './name-index.ts'
import previewNames from './preview-names.txt' with { type: 'text' }

const index = new NameIndex(String.raw`
Googlebot\/
Google-Ads
^Viber
^(?:Chirp|gotosocial)
[wW]get
Y!J
dbot\)
ab
`)

test.each([
  ['Googlebot/2.1'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1)'],
  ['x Google-Ads'],
  ['Viber'],
  ['gotosocial/0.1'],
  ['x Wget'],
  ['Y!J'],
  ['(dbot)'],
  ['ab'],
  ['é ab'],
])('%s has a name', (text) => {
  expect(index.isIn(text)).toBe(true)
})

test.each([
  [''],
  ['G'],
  ['Go'],
  ['Googlebot'],
  ['googlebot/'],
  ['x Viber'],
  ['x Chirp'],
  ['dbot'],
  ['ﾾ\u0000Y!'],
  ['Goo'.repeat(170)],
])('%j has none', (text) => {
  expect(index.isIn(text)).toBe(false)
})

test('an index without names finds nothing', () => {
  expect(new NameIndex('').isIn('anything')).toBe(false)
})

test.each([
  ['bot-names.txt', botNames],
  ['preview-names.txt', previewNames],
])('%s are found in the sample as one after the other finds them', (_, names) => {
  const patterns = names
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((name) => new RegExp(name))
  const found = new NameIndex(names)
  const tsv = readFileSync(fileURLToPath(new URL('../../../test/user-agents.tsv', import.meta.url)), 'utf8')
  const agents = readRows(tsv).map(({ userAgent }) => userAgent)
  expect(agents.filter((agent) => found.isIn(agent))).toEqual(
    agents.filter((agent) => patterns.some((pattern) => pattern.test(agent))),
  )
})

test('the names are those of the installed crawler-user-agents: npm run bot-names', () => {
  expect({ 'bot-names.txt': botNames, 'preview-names.txt': previewNames }).toEqual(botNameFiles())
})
