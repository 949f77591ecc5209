import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { botNamesModule } from '../../../build/write-bot-names.ts'
import { readRows } from '../../../test/rigs/user-agent-measures.ts'
import { BOT_NAMES, PREVIEW_NAMES } from './bot-names.data.ts'
import { NameIndex } from './name-index.ts'

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
  ['BOT_NAMES', BOT_NAMES],
  ['PREVIEW_NAMES', PREVIEW_NAMES],
])('%s are found in the sample as one after the other finds them', (_, names) => {
  const patterns = names
    .trim()
    .split('\n')
    .map((name) => new RegExp(name))
  const found = new NameIndex(names)
  const tsv = readFileSync(fileURLToPath(new URL('../../../test/user-agents.tsv', import.meta.url)), 'utf8')
  const agents = readRows(tsv).map(({ userAgent }) => userAgent)
  expect(agents.filter((agent) => found.isIn(agent))).toEqual(
    agents.filter((agent) => patterns.some((pattern) => pattern.test(agent))),
  )
})

test('the names are those of the installed crawler-user-agents: npm run bot-names', () => {
  const path = fileURLToPath(new URL('./bot-names.data.ts', import.meta.url))
  expect(readFileSync(path, 'utf8')).toBe(botNamesModule())
})
