import facts from '../../fixtures/import/shortio/truth.json'
import { type Program, linkOf, each, FOLDER, CLOAKED, NO_CODE, HIDDEN, USERINFO } from './import-facts.ts'

export const shortio: Program = {
  source: 'shortio',
  truths: [
    {
      files: [1, 2].map((page) => `shortio/links-page-${page}.json`),
      links: facts.links.map(linkOf),
      refused: { 'link 6': NO_CODE },
      lost: {
        ...each(
          'so.brand.example/2026 so.brand.example/PJ8GdJP so.brand.example/api so.brand.example/docs',
          FOLDER,
        ),
        ...each('so.brand.example/longurl so.brand.example/~jane', FOLDER),
        ...each('so.brand.example/formula', FOLDER, CLOAKED),
        ...each('so.brand.example/日本', 'Short.io deletes it at 2027-06-01T00:00:00.000Z; here it stays.'),
      },
    },
  ],
  imported: {
    created: 37,
    refused: {
      ...USERINFO,
      ...each('health', HIDDEN),
      'link 6': [NO_CODE],
    },
    link: {
      short_code: 'dup1',
      rules: [
        {
          split: [
            { to: 'https://example.com/same', weight: 50 },
            { to: 'https://example.com/variant-b', weight: 50 },
          ],
        },
      ],
    },
  },
}
