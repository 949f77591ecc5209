import { expect, test } from 'bun:test'
import { type SqlToken, sqlTokens } from './sql-tokens.ts'

const DUMP = `/*M!999999\\- sandbox */ -- it's\n--\n/*!40103 SET TIME_ZONE='+00:00' */;#'\nINSERT INTO \`a\`\`b\` VALUES (1,'x''\\'y\\\\',NULL,"q""",5--3);`

test('a dump has the same words in pieces of any length', async () => {
  const whole = await tokensIn(DUMP.length)
  expect(whole.map(({ value }) => value)).toEqual([
    ...'SET TIME_ZONE = +00:00 ; INSERT INTO a`b VALUES ( 1'.split(' '),
    ',',
    "x''y\\",
    ',',
    'NULL',
    ',',
    'q"',
    ',',
    '5--3',
    ')',
    ';',
  ])
  for (let length = 1; length < 40; length++) expect(await tokensIn(length)).toEqual(whole)
})

test('a text in hexadecimal digits is read as what it spells', async () => {
  async function* dump() {
    yield 'VALUES (0xC3BC, 0x, 0xC, 10);'
  }
  const tokens = (await Array.fromAsync(sqlTokens(dump()))).flat()
  expect(tokens.slice(2, -2).filter(({ value }) => value !== ',')).toEqual([
    { kind: 'text', value: 'ü' },
    { kind: 'word', value: '0x' },
    { kind: 'word', value: '0xC' },
    { kind: 'word', value: '10' },
  ])
})

async function tokensIn(length: number): Promise<SqlToken[]> {
  async function* pieces() {
    for (let at = 0; at < DUMP.length; at += length) yield DUMP.slice(at, at + length)
  }
  return (await Array.fromAsync(sqlTokens(pieces()))).flat()
}
