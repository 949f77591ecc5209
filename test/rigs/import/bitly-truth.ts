import facts from '../../fixtures/import/bitly/truth.json'
import { type Fact, type Program, linkOf, each, USERINFO } from './import-facts.ts'
import type { SourceLink } from '../../../src/import/source.ts'

type Bitlink = Omit<Fact, 'domain' | 'code' | 'clicks'> & {
  clicks: number | null
  codes: { domain: string; code: string }[]
}

/** A bitlink has one link here for each of its domains. The addresses that people chose come first. */
const bitlyLinks = (bitlinks: readonly Bitlink[]): SourceLink[] =>
  bitlinks.flatMap((link) => {
    const [generated, ...chosen] = link.codes
    const byDomain = Map.groupBy([...chosen, generated!], ({ domain }) => domain)
    return [...byDomain].map(([domain, codes], at) => ({
      ...linkOf({ ...link, domain, code: codes[0]!.code, clicks: at === 0 ? link.clicks : null }),
      aliases: codes.slice(1).map(({ code }) => code),
    }))
  })

const inBitly = facts.links.filter(({ deleted }) => !deleted)
/** Only one chosen address, and the day of the creation. */
const inCsvOfBitly = inBitly
  .filter(({ destination }) => destination !== null)
  .map((link) => ({
    ...link,
    codes: link.codes.slice(0, 2),
    created_at: link.created_at && `${link.created_at.slice(0, 10)}T00:00:00Z`,
    clicks: link.clicks_in_csv,
    archived: false,
    // A comma also separates them.
    tags: link.tags.flatMap((tag) => tag.split(',')),
  }))

/** Only the generated address. */
const inOlderCsv = inCsvOfBitly.map((link, at) => ({
  ...link,
  codes: link.codes.slice(0, 1),
  created_at: inBitly.filter(({ destination }) => destination !== null)[at]!.created_at,
}))

const INTO_APPS = 'Its links into apps are lost.'
const NO_DATE = '"1970-01-01T00:00:00+0000" is no date that can be read, so it is left out.'

export const bitly: Program = {
  source: 'bitly',
  truths: [
    {
      files: ['bitly/bitlinks-page-1.json', 'bitly/bitlinks-page-2.json'],
      links: bitlyLinks(inBitly.map((link) => ({ ...link, clicks: null }))),
      refused: { 'link 8': 'It is deleted at Bitly.' },
      lost: {
        'bit.ly/never': [NO_DATE],
        'bit.ly/4KneF2Y': [INTO_APPS],
        'brnd.example/snake_case': [INTO_APPS],
      },
    },
    {
      files: ['bitly/csv-links.csv'],
      links: bitlyLinks(inCsvOfBitly),
      lost: each('bit.ly/never', '"1970-01-01" is no date that can be read, so it is left out.'),
    },
    {
      files: ['bitly/csv-links-older.csv'],
      links: bitlyLinks(inOlderCsv),
      lost: each('bit.ly/44AN2ht', '"1970-01-01 00:00:00" is no date that can be read, so it is left out.'),
    },
  ],
  imported: {
    created: 43,
    refused: {
      ...USERINFO,
      ...each('4kHRSmL', 'The original url field is required.', 'The url field is required.'),
      'link 8': ['It is deleted at Bitly.'],
    },
    link: { short_code: 'summer-sale', aliases: ['47EuXAC'], tags: ['promo', 'summer sale'] },
  },
}
