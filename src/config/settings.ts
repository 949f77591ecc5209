import { hostname } from 'node:os'
import { linksByPlan } from './links-by-plan.ts'
import { oidcProviders } from './oidc-providers.ts'
import * as kinds from './setting-kinds.ts'
import type { SettingKind } from './setting-kinds.ts'

export type Setting = {
  name: string
  kind: SettingKind<unknown>
  default?: Default
  /** One sentence, for `tern config` and the README. */
  meaning: string
  /** Never shown, not even in an error. */
  secret?: true
}

/** As an operator would write it. A default that depends on settings above it also says how, in words. */
type Default = string | { words: string; from(above: Above): string }
export type Above = { port: number; baseUrl: string }

/** Every setting. An empty variable counts as not set. */
export const SETTINGS = {
  port: {
    name: 'PORT',
    kind: kinds.wholeNumber(0, 65_535),
    default: '3000',
    meaning: 'The port to listen on; 0 picks any free port.',
  },
  host: {
    name: 'HOST',
    kind: kinds.listenAddress,
    // Not `::`, which fails where IPv6 is disabled, as in many containers.
    default: '0.0.0.0',
    meaning: 'The IP address to listen on: 0.0.0.0 is every IPv4 address of the machine, :: adds IPv6.',
  },
  baseUrl: {
    name: 'BASE_URL',
    kind: kinds.baseUrl,
    default: { words: 'http://localhost:PORT', from: ({ port }) => `http://localhost:${port}` },
    meaning:
      'The public URL of this server, with a path if it is behind one; every short URL begins with it.',
  },
  unknownHosts: {
    name: 'UNKNOWN_HOSTS',
    kind: kinds.choice('serve', 'refuse'),
    default: 'serve',
    meaning:
      'Hosts that are neither that of BASE_URL nor were ever a verified domain: they get the links of BASE_URL, or 404.',
  },
  dataDir: {
    name: 'DATA_DIR',
    kind: kinds.folder,
    default: './data',
    meaning: 'The folder for the click journal and the SQLite database. Each node needs its own.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    kind: kinds.optional(kinds.postgresUrl),
    meaning: 'The PostgreSQL database, 13 or newer, for all but the journal. Default: SQLite in DATA_DIR.',
    secret: true,
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    kind: kinds.optional(kinds.postgresUrl),
    meaning: 'A replica for lists, searches and analytics, used while it is less than two seconds behind.',
    secret: true,
  },
  clickHouseUrl: {
    name: 'CLICKHOUSE_URL',
    kind: kinds.optional(kinds.clickHouseUrl),
    meaning: 'A ClickHouse database for clicks, beside PostgreSQL: for more than some 10 million clicks.',
    secret: true,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    kind: kinds.networks,
    default: '',
    meaning: 'The reverse proxies whose X-Forwarded-For header is trusted.',
  },
  geoipDb: {
    name: 'GEOIP_DB',
    kind: kinds.optional(kinds.existingFile),
    meaning: 'Your own database of countries or cities (MMDB) instead of the bundled one.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    kind: kinds.choice('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info',
    meaning: 'The lowest level that is logged.',
  },
  allowPrivateDestinations: {
    name: 'ALLOW_PRIVATE_DESTINATIONS',
    kind: kinds.flag,
    default: '0',
    meaning: 'Whether links may lead to private and loopback addresses, for use in an intranet.',
  },
  destinationSchemes: {
    name: 'DESTINATION_SCHEMES',
    kind: kinds.destinationSchemes,
    default: 'http,https',
    meaning:
      'What the URLs that links lead to may begin with: mailto, tel, sms and the schemes of apps can be added.',
  },
  fetchDestinations: {
    name: 'FETCH_DESTINATIONS',
    kind: kinds.flag,
    default: '1',
    meaning: 'Whether Tern opens the pages that links lead to, for their title, icon and picture.',
  },
  journalSync: {
    name: 'JOURNAL_SYNC',
    kind: kinds.choice('os', 'disk'),
    default: 'os',
    meaning: 'What clicks of redirected visitors survive. os: a crash of Tern. disk: a power failure too.',
  },
  journalRetentionMs: {
    name: 'JOURNAL_RETENTION',
    kind: kinds.duration({
      min: '1h',
      max: '365d',
      why: 'the journal brings a restored backup up to date',
    }),
    default: '72h',
    meaning: 'How long counted clicks stay in the journal. Make it longer than the time between two backups.',
  },
  journalSegmentBytes: {
    name: 'JOURNAL_SEGMENT_BYTES',
    kind: kinds.byteSize({ min: '64KiB', max: '1GiB' }),
    default: '16MiB',
    meaning: 'The size at which the journal starts a new file.',
  },
  rawClickDays: {
    name: 'RAW_CLICK_DAYS',
    kind: kinds.wholeNumber(0, 3650),
    default: '30',
    meaning:
      'How many days the exact time of a click is kept; then, with 0 at once, only the quarter of an hour. Clicks are kept forever.',
  },
  trashDays: {
    name: 'TRASH_DAYS',
    kind: kinds.wholeNumber(0, 3650),
    default: '30',
    meaning: 'How many days deleted links can be restored; 0 keeps them for a minute, to undo the deletion.',
  },
  linksMax: {
    name: 'LINKS_MAX',
    kind: linksByPlan,
    default: { words: 'no limit', from: () => '' },
    meaning:
      'How many links a workspace can have: for every plan, or by plan. Links in the trash do not count, and the workspaces of operators have no limit.',
  },
  auditDays: {
    name: 'AUDIT_DAYS',
    kind: kinds.wholeNumber(1, 3650),
    default: '400',
    meaning: 'How many days the audit log of each workspace is kept.',
  },
  publicStats: {
    name: 'PUBLIC_STATS',
    kind: kinds.flag,
    default: '1',
    meaning: 'Whether anyone can see the totals of the whole server at /api/stats/public.',
  },
  publicStatsTtlMs: {
    name: 'PUBLIC_STATS_TTL',
    kind: kinds.duration({ min: '0', max: '60s' }),
    default: '5s',
    meaning: 'How long the public totals are cached.',
  },
  linkCacheSize: {
    name: 'LINK_CACHE_SIZE',
    kind: kinds.wholeNumber(1, 10_000_000),
    default: '100000',
    meaning: 'How many links are cached in memory for redirects.',
  },
  signUp: {
    name: 'SIGNUP',
    kind: kinds.choice('open', 'invite', 'closed'),
    default: 'open',
    meaning: 'Who can sign up: anyone, invited people, or no one.',
  },
  oidcProviders: {
    name: 'OIDC_PROVIDERS',
    kind: oidcProviders,
    default: { words: 'none', from: () => '[]' },
    meaning: 'Providers of single sign-on by OpenID Connect.',
    secret: true,
  },
  oidcOnly: {
    name: 'OIDC_ONLY',
    kind: kinds.flag,
    default: '0',
    meaning: 'Whether users sign in with a provider only. Operators can still use a password or passkey.',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    kind: kinds.optional(kinds.smtpUrl),
    meaning: 'The mail server. Without one, emails go to DATA_DIR/outbox and their links to the console.',
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    kind: kinds.mailSender,
    default: {
      words: 'Tern <tern@, then the host of BASE_URL>',
      from: ({ baseUrl }) => `Tern <tern@${new URL(baseUrl).hostname}>`,
    },
    meaning: 'The sender of every email.',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    kind: kinds.optional(kinds.token),
    meaning:
      'The bearer token for reading /metrics from another machine; without one, only this machine can.',
    secret: true,
  },
  apiKey: {
    name: 'TERN_API_KEY',
    kind: kinds.optional(kinds.token),
    meaning: 'The API key that tern link uses. The server needs none.',
    secret: true,
  },
  sourceKey: {
    name: 'TERN_SOURCE_KEY',
    kind: kinds.optional(kinds.foreignKey),
    meaning: 'The key of the service that tern import reads links from. The server needs none.',
    secret: true,
  },
  nodeName: {
    name: 'NODE_NAME',
    kind: kinds.label,
    default: { words: 'the host name', from: nodeNameOfHost },
    meaning: 'The name of this process in the journal.',
  },
  stopDelayMs: {
    name: 'STOP_DELAY',
    kind: kinds.duration({ min: '0', max: '60s' }),
    default: '0',
    meaning: 'How long to serve after SIGTERM with a failing health check, so that proxies switch first.',
  },
  securityContact: {
    name: 'SECURITY_CONTACT',
    kind: kinds.contactUri,
    default: {
      words: 'mailto:security@, then the host of BASE_URL',
      from: ({ baseUrl }) => `mailto:security@${new URL(baseUrl).hostname}`,
    },
    meaning: 'Where to report vulnerabilities, published in /.well-known/security.txt.',
  },
} satisfies Record<string, Setting>

function nodeNameOfHost(): string {
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return name.slice(0, 63) || 'tern'
}
