import facts from '../../fixtures/import/yourls/truth.json'
import plus2 from '../../fixtures/import/yourls/truth-server-plus2.json'
import { each, linkOf, NO_URL, type Program, USERINFO } from './import-facts.ts'

const live = facts.links
  .filter(({ state }) => state === 'live')
  .map(({ code, destination, title, created_at, clicks_in_database: clicks }) => ({
    code,
    domain: null,
    destination,
    title: title === destination ? null : title,
    created_at,
    clicks,
  }))

/** The plugin has lost the backslashes. */
const inPlugin = live.map(({ code, domain, destination, clicks }) => ({
  code,
  domain,
  destination: destination.replaceAll('\\', ''),
  clicks,
}))

/** With the links that a new YOURLS has. */
const onAnotherServer = [
  ...['ozh', 'yourls', 'yourlsblog'].map((code) => ({ code, created_at: '2026-06-30T22:30:00Z', clicks: 0 })),
  ...plus2.links,
].map(({ code, created_at, clicks }) => {
  const { destination: _, ...link } = linkOf({ code, domain: null, destination: null, created_at, clicks })
  return link
})

export const yourls: Program = {
  source: 'yourls',
  truths: [
    { files: ['yourls/yourls.sql'], options: { timeZone: 'UTC' }, links: live.map(linkOf), lost: {} },
    { files: ['yourls/yourls_url.csv'], links: live.map(linkOf), lost: {} },
    {
      // The second page is past the end.
      files: ['yourls/api-stats-last-all.json', 'yourls/api-stats-last-page-4.json'],
      links: live.map((link) => linkOf({ ...link, domain: facts.default_domain })),
      lost: {},
    },
    { files: ['yourls/yourls_export.csv'], links: inPlugin.map(linkOf), lost: {} },
    {
      files: ['yourls/yourls-server-plus2.sql'],
      options: { timeZone: '+02:00' },
      links: onAnotherServer,
      lost: {},
    },
    { files: ['yourls/yourls-server-plus2-skip-tz-utc.sql'], links: onAnotherServer, lost: {} },
  ],
  imported: {
    created: 68,
    refused: {
      ...USERINFO,
      ...each('mail', NO_URL),
      ...each('ftp', NO_URL),
      ...each(
        'noscheme',
        'The original url must start with https:// or another scheme. Did you mean https://example.com/no-scheme?',
      ),
    },
    link: { short_code: 'quotes' },
  },
}
