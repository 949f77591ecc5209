import facts from '../../fixtures/import/shlink/truth.json'
import { type Program, linkOf, each, USERINFO } from './import-facts.ts'

const CRAWLABLE = 'That search engines may list it (crawlable) is lost.'
const RULES = 'Its redirect rules are not in the list of links.'

export const shlink: Program = {
  source: 'shlink',
  truths: [
    {
      files: [1, 2, 3].map((page) => `shlink/short-urls-page-${page}.json`),
      // Without bots.
      links: facts.links.map(({ rules: _, bots, ...link }) =>
        linkOf({ ...link, clicks: link.clicks - bots }),
      ),
      lost: {
        ...each(
          'go.brand.example/party go.brand.example/summer-sale go.brand.example/x5T3a s.example/dup1',
          RULES,
        ),
        ...each(
          'go.brand.example/docs s.example/HCiZM s.example/blog/post-1 s.example/dup2 s.example/quotes',
          CRAWLABLE,
        ),
        ...each('s.example/docs', RULES, CRAWLABLE),
      },
    },
    {
      files: ['shlink/web-client-short_urls.csv'],
      links: facts.links.map(({ code, domain, destination, title, tags, created_at, clicks }) =>
        linkOf({ code, domain, destination, title, tags, created_at, clicks }),
      ),
      lost: {},
    },
  ],
  imported: {
    created: 38,
    refused: {
      ...USERINFO,
      ...each('docs', 'The code is used before, at link 7.'),
    },
    link: {
      short_code: 'snake_case',
      title: 'Underscore',
      created_at: '2024-06-24T01:31:59.000000Z',
      starts_at: '2027-01-01T00:00:00.000000Z',
      forward_query: 'replace',
    },
  },
}
