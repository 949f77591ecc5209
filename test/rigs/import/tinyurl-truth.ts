import facts from '../../fixtures/import/tinyurl/truth.json'
import { type Program, linkOf, each, RESERVED, USERINFO } from './import-facts.ts'

export const tinyurl: Program = {
  source: 'tinyurl',
  truths: [{ files: ['tinyurl/links.json'], links: facts.links.map(linkOf), lost: {} }],
  imported: {
    created: 10,
    refused: { ...each('health', RESERVED), ...USERINFO },
    link: { short_code: 'party', archived: true, tags: ['events'] },
  },
}
