import facts from '../../fixtures/import/dub/truth.json'
import { type Program, linkOf, each, FOLDER, CLOAKED, NO_CODE, USERINFO } from './import-facts.ts'

const DUB_RULES: Record<string, object> = {
  dup1: {
    when: { between: { from: '2026-10-01T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z' } },
    split: [
      { to: 'https://example.com/same', weight: 50 },
      { to: 'https://example.com/variant-b', weight: 50 },
    ],
  },
}

function dubRules({ code, rules: { ios, android, geo } }: (typeof facts.links)[number]): object[] | null {
  const countries = Object.entries(geo ?? {}) as [string, string][]
  const rules = [
    ...(ios ? [{ when: { os: ['iOS'] }, to: ios }] : []),
    ...(android ? [{ when: { os: ['Android'] }, to: android }] : []),
    ...[...Map.groupBy(countries, ([, to]) => to)].map(([to, some]) => ({
      when: { country: some.map(([country]) => country) },
      to,
    })),
    ...(DUB_RULES[code] ? [DUB_RULES[code]] : []),
  ]
  return rules.length === 0 ? null : rules
}

const dubFacts = facts.links
  .filter(({ code }) => code !== '_root')
  .map((link) => ({ ...link, code: link.code_in_own_letters }))
const CARD = {
  social_title: '=1+1',
  social_description: 'A card with a picture',
  social_image_url: 'https://assets.example.com/og.png',
}

export const dub: Program = {
  source: 'dub',
  truths: [
    {
      files: ['dub/links-page-1.json', 'dub/links-page-2.json'],
      links: dubFacts.map((link) =>
        linkOf({
          ...link,
          fallback_url: link.expired_url,
          rules: dubRules(link),
          preview: link.code === 'formula' ? CARD : null,
        }),
      ),
      refused: { 'link 10': NO_CODE },
      lost: {
        ...each(
          'go.brand.example/PJ8GdJP go.brand.example/Promo-A go.brand.example/api go.brand.example/formula',
          FOLDER,
        ),
        ...each('go.brand.example/jane go.brand.example/longurl links.example/2026', FOLDER),
        ...each('links.example/idn', CLOAKED),
        ...each('go.brand.example/summer-sale', 'Its conversions are not imported.'),
        ...each(
          'go.brand.example/docs',
          FOLDER,
          'That search engines may list it is lost.',
          'Its public page of statistics is not imported.',
        ),
      },
    },
    {
      files: ['dub/links-export-all-columns.csv'],
      links: dubFacts
        .filter(({ archived }) => !archived)
        .map(({ code, domain, destination, tags, created_at, clicks }) =>
          linkOf({ code, domain, destination, tags, created_at, clicks }),
        ),
      refused: { 'line 10': 'https://go.brand.example has no code: it is the page of a domain.' },
      lost: {},
    },
    {
      files: ['dub/links-export-default.csv'],
      links: dubFacts
        .filter(({ archived }) => !archived)
        .map(({ code, domain, destination, created_at, clicks }) =>
          linkOf({ code, domain, destination, created_at, clicks }),
        ),
      refused: { 'line 10': 'https://go.brand.example has no code: it is the page of a domain.' },
      lost: {},
    },
  ],
  imported: {
    created: 38,
    refused: {
      ...USERINFO,
      'link 10': [NO_CODE],
    },
    link: { short_code: 'formula', external_id: null, tags: ['=cmd'], ...CARD },
  },
}
