import facts from '../../fixtures/import/rebrandly/truth.json'
import { type Program, linkOf, each, USERINFO } from './import-facts.ts'

export const rebrandly: Program = {
  source: 'rebrandly',
  truths: [
    {
      files: [1, 2].map((page) => `rebrandly/links-page-${page}.json`),
      links: facts.links.map(linkOf),
      lost: each('rb.brand.example/zz', 'That it is a favorite is lost.'),
    },
  ],
  imported: {
    created: 35,
    refused: USERINFO,
    link: { short_code: 'HnV7wVM', forward_query: true, created_at: '2026-03-07T22:22:38.000000Z' },
  },
}
