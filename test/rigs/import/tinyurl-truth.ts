import facts from '../../fixtures/import/tinyurl/truth.json'
import { type Program, linkOf, USERINFO } from './import-facts.ts'

export const tinyurl: Program = {
  source: 'tinyurl',
  truths: [{ files: ['tinyurl/links.json'], links: facts.links.map(linkOf), lost: {} }],
  imported: {
    created: 11,
    refused: USERINFO,
    link: { short_code: 'party', archived: true, tags: ['events'] },
  },
}
