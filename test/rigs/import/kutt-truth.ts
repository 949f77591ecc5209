import facts from '../../fixtures/import/kutt/truth.json'
import { type Program, linkOf, each, NO_URL, USERINFO } from './import-facts.ts'
import type { SourceLink } from '../../../src/import/source.ts'

const inKutt = facts.links.filter(({ in_database: isThere }) => isThere)
type KuttLink = (typeof inKutt)[number]

const kuttLink = (link: KuttLink, defaultDomain: string | null): SourceLink => {
  const isTitle =
    link.description !== null && !link.description.includes('\n') && link.description.length < 256
  return linkOf({
    ...link,
    domain: link.domain === facts.default_domain ? defaultDomain : link.domain,
    title: isTitle ? link.description : null,
    notes: isTitle ? null : link.description,
    clicks: link.visit_count_in_database,
    disabled: link.state === 'banned',
    has_password: link.password,
    password_plain: null,
  })
}
const BANNED = ['An administrator of Kutt banned it, so it is imported disabled.']
const ofAdmin = inKutt.filter(({ owner }) => owner === 'admin@kutt.example')
const ofEditor = inKutt.filter(({ owner }) => owner === 'editor@kutt.example')

export const kutt: Program = {
  source: 'kutt',
  truths: [
    {
      files: ['kutt/kutt.sqlite'],
      // Only here it says the hashes.
      links: inKutt.map((link) => ({ ...kuttLink(link, null), hasUnknownPassword: false })),
      lost: { '/banned-one': BANNED },
    },
    {
      files: [1, 2, 3].map((page) => `kutt/links-page-${page}.json`),
      links: ofAdmin.map((link) => kuttLink(link, facts.default_domain)),
      lost: { 'kutt.example/banned-one': BANNED },
    },
    {
      files: ['kutt/editor-links-page-1.json'],
      links: ofEditor.map((link) => kuttLink(link, facts.default_domain)),
      lost: {},
    },
    {
      files: [1, 2].map((page) => `kutt/admin-links-page-${page}.json`),
      links: inKutt.map((link) => kuttLink(link, facts.default_domain)),
      lost: { 'kutt.example/banned-one': BANNED },
    },
  ],
  imported: {
    created: 72,
    refused: {
      ...USERINFO,
      ...each('docs', 'The code is used before, at link 3.'),
      ...each('mail', NO_URL),
      ...each('phone ftp deep-link', NO_URL),
    },
    link: { short_code: 'banned-one', is_active: false, title: 'banned by the admin' },
  },
}
