import { z } from '@hono/zod-openapi'
import { RequestCounter } from '../../api-keys/hourly-limit.ts'
import { KeyCache } from '../../api-keys/key-cache.ts'
import { openClickHouse } from '../../clicks/clickhouse/clickhouse.ts'
import type { CallEngine } from '../../clicks/parquet/engine-calls.ts'
import { ClickQueries } from '../../clicks/queries/click-queries.ts'
import { cachedPublicStats } from '../../analytics/public-stats.ts'
import type { Config } from '../../config/config.ts'
import type { DestinationPages } from '../../destination-pages/destination-pages.ts'
import type { TitleQueue } from '../../destination-pages/title-queue.ts'
import type { DomainChecks } from '../../domains/domain-checks.ts'
import { domainHost } from '../../domains/domain-host.ts'
import { domainEdit } from '../../domains/edit-domain.ts'
import { importedLinkSchema, importSchema } from '../../import/import-fields.ts'
import type { ImportJobs } from '../../import/jobs/import-jobs.ts'
import { MinuteLimit } from '../../limits/minute-limit.ts'
import { StreamPlaces } from '../../limits/stream-places.ts'
import { WindowLimit } from '../../limits/window-limit.ts'
import { WorkspacePlaces } from '../../limits/workspace-places.ts'
import type { RedirectStateChanges } from '../../links/destinations/block-host.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import type { ChangeLinksDeps } from '../../links/change-links.ts'
import { CreationGroups } from '../../links/creation-groups.ts'
import { bulkSchemas } from '../../links/bulk/bulk-fields.ts'
import { destinationHref } from '../../links/destinations/destination-field.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import { CodeSettings } from '../../workspaces/settings/code-settings.ts'
import { customCode, unusualCode } from '../../links/fields/basic-fields.ts'
import { linkSchemas, linkWithCodes } from '../../links/link-fields.ts'
import { destinationRulesOf } from '../../links/destinations/destination-rules.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { seenVersion } from '../../links/versions/seen-version.ts'
import { RunningRequests } from '../../links/idempotency.ts'
import type { LinkChanges } from '../../links/link.ts'
import type { MailSender } from '../../mail/mail-queue.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import { RecentReports } from '../../shares/recent-reports.ts'
import type { Log } from '../../runtime/log.ts'
import type { Store } from '../../store/open-store.ts'
import type { PasswordQueue } from '../../users/password/password-queue.ts'
import type { ServiceState } from '../api-server/api-channel.ts'
import type { PasswordAttempts } from '../api-server/password-attempts.ts'
import type { ComputeChannel } from '../compute/compute-channel.ts'
import { QrDrawer } from '../compute/qr-drawer.ts'
import type { BuiltDashboard } from '../dashboard-site/built-dashboard.ts'
import type { PreviewDeps } from '../pages/preview-endpoint.ts'
import { LiveStreams } from './live-streams.ts'
import { UserLimits } from './user-limits.ts'

/** What the API thread has opened. */
export type AppDeps = {
  config: Config
  store: Store
  /** Undefined on PostgreSQL, where no clicks are in files. */
  callEngine?: CallEngine | undefined
  clock: Clock
  passwords: PasswordQueue
  passwordAttempts: PasswordAttempts
  log: Log
  metrics: Metrics
  changes: LinkChanges
  blocks: Blocks
  domains: Domains
  redirectState: RedirectStateChanges
  mails: MailSender
  openLink: PreviewDeps['openLink']
  codeLog: ChangeLinksDeps['codeLog']
  pages: DestinationPages | undefined
  titles: Pick<TitleQueue, 'add'>
  compute: ComputeChannel
  domainChecks: Pick<DomainChecks, 'check'>
  serviceState(): ServiceState
  dashboard: BuiltDashboard
  /** The runs of imports, which begin when everything else is open. */
  importJobs: ImportJobs
  /** What tests let the server reach. */
  reached: { reachableIps: readonly string[]; reachesAnyPort?: boolean | undefined }
}

/** Requests without a key, a minute and address: a page polls its health, a guesser of codes is slowed down. */
const PUBLIC_REQUESTS_PER_MINUTE = 1_000
/** For each workspace. */
const DOMAIN_CHECKS_PER_MINUTE = { windowMs: 60_000, max: 10 }
/** A check of a domain takes seconds when nothing answers. */
const DOMAIN_CHECKS = { running: 8, runningOfOne: 2, waiting: 64, waitingOfOne: 4 }
/** Operators are few, and wait for each check. */
const OPERATOR_CHECKS = { running: 2, runningOfOne: 2, waiting: 8, waitingOfOne: 8 }
/** Each waits for the server of another program. */
const SOURCE_LISTS = { running: 8, runningOfOne: 1, waiting: 32, waitingOfOne: 2 }
const EXPORTS = { perWorkspace: 2, max: 20 }

type SchemaSettings = Pick<AppDeps, 'config'> & { destinationRules: DestinationRules }

/** The bodies that depend on settings, made once and with their names in the document. */
export function schemasOf({ config, destinationRules }: SchemaSettings) {
  const schemas = linkSchemas(destinationRules)
  const { newLink, newLinks, linkEdit } = schemas
  const { bulkUpdate, bulkDeletion, bulkRestoration } = bulkSchemas(schemas)
  return {
    ...schemas,
    usual: { newLink, code: customCode },
    unusual: { newLink: linkWithCodes(schemas, unusualCode), code: unusualCode },
    newLink: newLink.openapi('NewLink'),
    newLinks: newLinks.openapi('NewLinks'),
    seenLinkEdit: linkEdit.extend({ seen_version: seenVersion }).openapi('LinkEdit'),
    bulkUpdate: bulkUpdate.openapi('BulkUpdate'),
    bulkDeletion: bulkDeletion.openapi('BulkDeletion'),
    bulkRestoration: bulkRestoration.openapi('BulkRestoration'),
    importedLink: importedLinkSchema(schemas),
    importedLinks: importSchema(schemas).openapi('ImportedLinks'),
    newDomain: z.object({ host: domainHost(config) }).openapi('NewDomain'),
    domainEdit: domainEdit(destinationRules).openapi('DomainEdit'),
    destination: z.object({ url: destinationHref(destinationRules) }),
  }
}

/** What endpoints get: one object for all of them. */
export type ServerDeps = ReturnType<typeof openServerDeps>

export function openServerDeps(deps: AppDeps) {
  const { config, store, clock, domains, blocks, metrics, log, reached } = deps
  const { db, readDb, listDb, reportDb, relaxedDb } = store
  const clickHouse = openClickHouse(config)
  const limits = new UserLimits(clock, metrics.rateLimitRefusals.network)
  const destinationRules = destinationRulesOf(config, { domains, blocks })
  const checkPlaces = (bounds: typeof DOMAIN_CHECKS) =>
    new WorkspacePlaces(bounds, 'Too many domains are being checked.')
  const exportPlaces = (what: string) =>
    new StreamPlaces({
      ...EXPORTS,
      sentence: `Too many exports${what} are in progress. Try again when one is done.`,
    })
  const clickQueries = new ClickQueries({ ...deps, clickHouse, db: reportDb })
  return {
    ...deps,
    db,
    readDb,
    listDb,
    reportDb,
    clickHouse,
    clickQueries,
    sharedReports: new RecentReports({ ...deps, clickQueries }),
    relaxedDb,
    codeSettings: new CodeSettings({ db, clock }),
    requestCounters: {
      reads: new RequestCounter({ db: relaxedDb, clock }),
      changes: new RequestCounter({ db: config.databaseUrl === undefined ? db : relaxedDb, clock }),
    },
    baseUrl: config.baseUrl,
    linksMax: config.linksMax,
    trashDays: config.trashDays,
    destinationRules,
    keys: new KeyCache({ db, callersVersion: store.callersVersion }),
    schemas: schemasOf({ config, destinationRules }),
    qrDrawer: new QrDrawer(deps.compute),
    limits,
    countNotice: (userId: number) => limits.notice(userId),
    publicLimit: new MinuteLimit(clock, PUBLIC_REQUESTS_PER_MINUTE),
    live: new LiveStreams({ db, domains, clock, log, sendsClicks: config.rawClickDays > 0 }),
    publicStats: cachedPublicStats({ db: readDb, clock }, config.publicStatsTtlMs),
    creationGroups: new CreationGroups({ ...deps, db, linksMax: config.linksMax }),
    runningRequests: new RunningRequests(),
    domainCheckLimit: new WindowLimit(clock, DOMAIN_CHECKS_PER_MINUTE),
    domainCheckPlaces: checkPlaces(DOMAIN_CHECKS),
    operatorCheckPlaces: checkPlaces(OPERATOR_CHECKS),
    sourceListPlaces: new WorkspacePlaces(SOURCE_LISTS, 'Too many sources are being read.'),
    importClient: {
      baseUrl: config.baseUrl,
      reachableIps: reached.reachableIps,
      reachesAnyPort: reached.reachesAnyPort ?? false,
    },
    exportPlaces: {
      account: exportPlaces(''),
      links: exportPlaces(' of links'),
      clicks: exportPlaces(' of clicks'),
      auditLog: exportPlaces(' of the audit log'),
    },
  }
}

/** Counts emails against the limits of the network and the recipient. */
export const countingMails = (deps: ServerDeps, ip: string) => ({
  ...deps,
  countMail: deps.limits.mailsFrom(ip),
})
