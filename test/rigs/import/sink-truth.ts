import facts from '../../fixtures/import/sink/truth.json'
import { type Program, linkOf, each, CLOAKED, HIDDEN } from './import-facts.ts'

export const sink: Program = {
  source: 'sink',
  truths: [
    {
      files: ['sink/sink-links.json'],
      links: facts.links.map((fact) => ({
        ...linkOf(fact),
        forwardQuery: fact.forward_query && 'replace',
      })),
      lost: {
        ...each(
          '/cloaked',
          'The title of its previews does not fit here, so it is left out.',
          'The image of its previews does not fit here, so it is left out.',
          CLOAKED,
          'The warning in front of its destination is lost.',
        ),
        ...each('/proxied', 'Visitors will be redirected: here no pages of others are passed on.'),
      },
    },
  ],
  imported: {
    created: 7,
    refused: {
      ...each('hashed-password masked-password', HIDDEN),
    },
    link: { short_code: 'plain-password', has_password: true },
  },
}
