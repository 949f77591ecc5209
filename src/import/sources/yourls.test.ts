import { describe, expect, test } from 'bun:test'
import { itemsOf, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

const TABLE = `CREATE TABLE \`x_url\` (\`keyword\` varchar(100), \`url\` text, \`title\` text, \`timestamp\` timestamp NOT NULL, \`ip\` varchar(41), \`clicks\` int(10) unsigned, PRIMARY KEY (\`keyword\`), KEY \`ip\` (\`ip\`));\n`
const IN_UTC = "/*!40103 SET TIME_ZONE='+00:00' */;\n"
const rowAt = (code: string, time: string) =>
  `('${code}','https://example.com/${code}','T','${time}','192.0.2.1',3)`

describe('dates of a dump in UTC', () => {
  const dump = temporaryFile(
    `${IN_UTC}${TABLE}INSERT INTO \`x_url\` VALUES ${rowAt('summer', '2026-07-01 10:00:00')},${rowAt('winter', '2026-12-01 11:00:00')};\n`,
  )

  test('are those of a server in the zone that is named, summer and winter', async () => {
    const links = await linksOf('yourls', dump, { timeZone: 'Europe/Berlin' })
    expect(links.map(({ createdAt }) => createdAt)).toEqual([
      '2026-07-01T12:00:00.000Z',
      '2026-12-01T12:00:00.000Z',
    ])
  })

  test.each<[zone: string | undefined, sentence: string]>([
    [undefined, 'Name it with --time-zone, such as UTC, Europe/Berlin or +02:00.'],
    ['Berlin', '--time-zone must be a time zone'],
  ])('are not guessed: %p', async (timeZone, sentence) => {
    await expect(itemsOf('yourls', dump, { timeZone })).rejects.toThrow(sentence)
  })
})

test('a dump of phpMyAdmin is in UTC, too', async () => {
  const dump = temporaryFile(
    `-- phpMyAdmin SQL Dump\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\nSET time_zone = "+00:00";\n${TABLE}` +
      `INSERT INTO \`x_url\` (\`keyword\`, \`url\`, \`title\`, \`timestamp\`, \`ip\`, \`clicks\`) VALUES\n${rowAt('php', '2026-07-01 10:00:00')};\n`,
  )
  const [link] = await linksOf('yourls', dump, { timeZone: 'America/New_York' })
  expect(link).toMatchObject({ code: 'php', createdAt: '2026-07-01T06:00:00.000Z' })
  await expect(itemsOf('yourls', dump)).rejects.toThrow('Name it with --time-zone')
})

describe('a dump', () => {
  test('may escape in both ways, name its columns, and have a statement for each row', async () => {
    const file = temporaryFile(
      `-- It's a dump\n# isn't it?\n/* 'not\n a text */ INSERT INTO \`db\`.x_url (keyword, url, clicks, title) VALUES ('a''b','https://example.com/\\'c','7',_utf8mb4'\\\\ "d" \\n\\t;'), ('e','f',0,NULL);\n` +
        `INSERT IGNORE INTO other_url (keyword) VALUES ('none');\nREPLACE INTO x_url (url, keyword, clicks) VALUES ('g','h',1);`,
    )
    expect(await linksOf('yourls', file)).toMatchObject([
      { code: "a'b", destination: "https://example.com/'c", clicks: 7, title: '\\ "d" \n\t;' },
      { code: 'e', destination: 'f', clicks: 0, title: undefined },
      { code: 'h', destination: 'g', clicks: 1 },
    ])
  })

  test('of Adminer has a clause behind its rows', async () => {
    const file = temporaryFile(
      `${TABLE}INSERT INTO \`x_url\` (\`keyword\`, \`url\`, \`clicks\`) VALUES\n('a',\t'b',\t1)\nON DUPLICATE KEY UPDATE \`keyword\` = VALUES(\`keyword\`), \`url\` = VALUES(\`url\`);\nINSERT INTO \`x_url\` (\`keyword\`, \`url\`, \`clicks\`) VALUES ('c', 'd', 2);\n`,
    )
    expect((await linksOf('yourls', file)).map(({ code }) => code)).toEqual(['a', 'c'])
  })

  test('may have texts in hexadecimal', async () => {
    const file = temporaryFile(
      `${TABLE}INSERT INTO x_url VALUES (0x61,_binary 0x62,'','2026-07-01 10:00:00','',1);`,
    )
    expect(await linksOf('yourls', file)).toMatchObject([{ code: 'a', destination: 'b', title: undefined }])
  })

  test.each(['CONVERT(0x61 USING utf8mb4)', "X'61'", 'UUID()'])(
    'has no value that is computed: %s',
    async (value) => {
      const file = temporaryFile(`INSERT INTO x_url (keyword, url, clicks) VALUES (${value},'b',1);`)
      expect(await itemsOf('yourls', file)).toEqual([
        { at: 'row 1', refused: 'Its keyword is an expression of SQL. Dump the table with plain values.' },
      ])
    },
  )

  test('whose rows are on one line is read in pieces', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => rowAt(`code-${at}`, '2026-07-01 10:00:00'))
    const items = await linksOf(
      'yourls',
      temporaryFile(`${TABLE}INSERT INTO \`x_url\` VALUES ${rows.join(',')};`),
    )
    expect(items.map(({ code }) => code)).toEqual(rows.map((_, at) => `code-${at}`))
  })

  test.each<[what: string, text: string, refused: object[]]>([
    [
      'a row has too few values',
      `${TABLE}INSERT INTO x_url VALUES ('a','b');`,
      [{ at: 'row 1', refused: 'The row has 2 values for 6 columns.' }],
    ],
    [
      'the columns are not known',
      `INSERT INTO x_url VALUES ('a','b');`,
      [
        {
          at: 'row 1',
          refused: 'The columns of the table x_url are not in the dump. Dump it with its CREATE TABLE.',
        },
      ],
    ],
    [
      'there are no rows of links',
      TABLE,
      [
        {
          at: 'after row 0',
          refused: 'The dump has no rows of a table with the columns keyword, url and clicks.',
        },
      ],
    ],
    [
      'it is cut',
      `${TABLE}INSERT INTO x_url VALUES ('a','b',`,
      [
        {
          at: 'after row 0',
          refused: 'The dump ends in the middle of a statement, so what follows is missing.',
        },
      ],
    ],
    [
      'a quote is never closed',
      `${TABLE}INSERT INTO x_url VALUES ('a','b`,
      [
        {
          at: 'after row 0',
          refused:
            'A quote is opened and not closed, or a row is longer than 1 MB. The rest of the file was not read.',
        },
      ],
    ],
  ])('says so if %s', async (_, text, refused) => {
    expect(await itemsOf('yourls', temporaryFile(text))).toEqual(refused as never)
  })
})

test('a table without names has the columns of YOURLS', async () => {
  const file = temporaryFile(
    '"a1b";"https://example.com/x";"https://example.com/x";"2026-07-01 10:00:00";"192.0.2.1";"5"\n',
  )
  expect(await linksOf('yourls', file)).toMatchObject([
    {
      code: 'a1b',
      destination: 'https://example.com/x',
      title: undefined,
      createdAt: '2026-07-01T10:00:00.000Z',
      clicks: 5,
    },
  ])
})
