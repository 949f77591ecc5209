import { VERSION } from '../runtime/version.ts'

/** One metric. If it has a label, all its values are listed here. */
export type MetricNote = {
  type: 'counter' | 'gauge' | 'histogram'
  /** Prometheus' conventions: base units, `_total` for counters. Absent: not shown, another metric is computed from it. */
  name?: string
  label?: { name: string; values: readonly string[] }
  /** Of a histogram, ascending. */
  bounds?: readonly number[]
  help: string
}

const DELAY_BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const WRITE_BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Every metric, in the order of /metrics. */
export const METRICS = {
  shortUrlResponses: {
    type: 'counter',
    name: 'tern_short_url_responses_total',
    label: {
      name: 'status',
      values: ['200', '301', '302', '303', '307', '308', '403', '404', '405', '410', '429', '500', '503'],
    },
    help: 'Answers to visitors; 301, 302, 307 and 308 are redirects, 200 a preview, 403 a password form, 429 too many unknown codes, 500 an internal error, 503 a click that could not be recorded.',
  },
  clicksJournaled: {
    type: 'counter',
    name: 'tern_clicks_journaled_total',
    help: 'Clicks written to the journal, crawlers included.',
  },
  clicksCounted: {
    type: 'counter',
    name: 'tern_clicks_counted_total',
    help: 'Clicks moved from the journal to the counters, including those of earlier runs.',
  },
  lagClicks: {
    type: 'gauge',
    name: 'tern_ingestion_lag_clicks',
    help: 'Clicks in the journal that are not counted yet.',
  },
  lagSeconds: {
    type: 'gauge',
    name: 'tern_ingestion_lag_seconds',
    help: 'Every click before this time is counted.',
  },
  deadLetters: {
    type: 'counter',
    name: 'tern_dead_letters_total',
    help: 'Journal records that could be read but not understood.',
  },
  clicksMissing: {
    type: 'counter',
    name: 'tern_clicks_missing_total',
    help: 'Journaled clicks that are lost because their bytes are damaged or missing.',
  },
  damagedBytes: {
    type: 'counter',
    name: 'tern_journal_damaged_bytes_total',
    help: 'Journal bytes that could not be read.',
  },
  journalDegraded: {
    type: 'gauge',
    name: 'tern_journal_degraded',
    help: '1 while clicks cannot be saved, or only slowly.',
  },
  journalBytes: { type: 'gauge', name: 'tern_journal_bytes', help: "Size of the journal's segments." },
  journalSegments: { type: 'gauge', name: 'tern_journal_segments', help: 'Segments in the journal.' },
  storeBytes: {
    type: 'gauge',
    name: 'tern_store_bytes',
    help: 'Size of the database and its write-ahead log.',
  },
  clickFileBytes: { type: 'gauge', name: 'tern_click_file_bytes', help: 'Size of the files of clicks.' },
  diskFreeBytes: {
    type: 'gauge',
    name: 'tern_disk_free_bytes',
    help: 'Free space on the disk of the data folder.',
  },
  diskSizeBytes: {
    type: 'gauge',
    name: 'tern_disk_size_bytes',
    help: 'Size of the disk of the data folder.',
  },
  linkLookups: {
    type: 'counter',
    name: 'tern_link_cache_lookups_total',
    label: { name: 'result', values: ['hit', 'miss'] },
    help: 'Codes looked up for visitors: a hit was in memory, a miss was read from the database.',
  },
  linkCacheEntries: {
    type: 'gauge',
    name: 'tern_link_cache_entries',
    help: 'Links cached in memory for redirects.',
  },
  connections: { type: 'gauge', name: 'tern_open_connections', help: 'Open client connections.' },
  apiResponses: {
    type: 'counter',
    name: 'tern_api_responses_total',
    label: { name: 'status', values: ['2xx', '3xx', '4xx', '5xx'] },
    help: 'Responses of the API and the pages, by status class.',
  },
  apiUnanswered: {
    type: 'counter',
    name: 'tern_api_unanswered_total',
    label: { name: 'reason', values: ['full', 'blocked', 'slow'] },
    help: 'Requests answered with 503 instead of by the API: too many were waiting, its thread was blocked, or the response took minutes.',
  },
  rateLimitRefusals: {
    type: 'counter',
    name: 'tern_rate_limit_refusals_total',
    label: { name: 'limit', values: ['key', 'network'] },
    help: "Requests refused with 429 for a key's hourly limit, or for the limit of a network on what needs no key and on the dashboard.",
  },
  linkReports: {
    type: 'counter',
    name: 'tern_link_reports_total',
    label: { name: 'result', values: ['stored', 'merged', 'dropped'] },
    help: 'Reports about links by visitors: stored; counted with another one about the link; dropped with no trace of one, because too many were open.',
  },
  mails: {
    type: 'counter',
    name: 'tern_mails_total',
    label: { name: 'result', values: ['sent', 'failed', 'dropped'] },
    help: 'Emails accepted by the mail server or written to the outbox; given up; dropped because too many were waiting.',
  },
  mailsWaiting: {
    type: 'gauge',
    name: 'tern_mails_waiting',
    help: 'Emails being sent or waiting for a retry.',
  },
  emailReports: {
    type: 'counter',
    name: 'tern_email_reports_total',
    label: { name: 'result', values: ['sent', 'failed'] },
    help: 'Weekly and monthly reports accepted by the mail server; refused by it, or not possible at that time, some of which are tried again.',
  },
  storeWrites: {
    type: 'histogram',
    name: 'tern_store_write_seconds',
    label: { name: 'thread', values: ['api', 'background'] },
    bounds: WRITE_BOUNDS,
    help: 'Time from a write request to its commit: waiting for the lock, the transaction group and the disk.',
  },
  storeFailures: {
    type: 'counter',
    name: 'tern_store_write_failures_total',
    label: { name: 'thread', values: ['api', 'background'] },
    help: 'Transaction groups that the database rejected.',
  },
  storeErrors: {
    type: 'counter',
    name: 'tern_store_errors_total',
    label: { name: 'thread', values: ['api', 'background'] },
    help: 'Statements that failed because the database could not be reached or refused them; callers get 503.',
  },
  storeUnavailable: {
    type: 'gauge',
    name: 'tern_store_unavailable',
    label: { name: 'thread', values: ['api', 'background'] },
    help: '1 while the thread cannot use the database, or while the database refuses changes.',
  },
  eventLoopDelay: {
    type: 'histogram',
    name: 'tern_event_loop_delay_seconds',
    label: { name: 'thread', values: ['redirect', 'api', 'background'] },
    bounds: DELAY_BOUNDS,
    help: 'How late a timer fired that runs ten times a second: how long the thread was busy.',
  },
  loggedErrors: {
    type: 'counter',
    name: 'tern_logged_errors_total',
    label: { name: 'thread', values: ['redirect', 'api', 'background'] },
    help: 'Log lines of level error, logged or not.',
  },
  wallClock: {
    type: 'gauge',
    name: 'tern_clock_seconds',
    help: "Time of day by Tern's clock, since 1970 UTC.",
  },
  build: {
    type: 'gauge',
    name: 'tern_build_info',
    label: { name: 'version', values: [VERSION] },
    help: 'Always 1; the version is in the label.',
  },
  startTime: {
    type: 'gauge',
    name: 'process_start_time_seconds',
    help: 'When the program was started, since 1970 UTC.',
  },
  residentMemory: { type: 'gauge', name: 'process_resident_memory_bytes', help: 'Memory of the process.' },
  cpuSeconds: {
    type: 'counter',
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the whole process.',
  },
  clicksJournaledBefore: {
    type: 'gauge',
    help: 'Clicks that earlier runs had journaled; NaN until that is known.',
  },
  clicksSettled: {
    type: 'gauge',
    help: 'Clicks of this run that are counted or known to be lost, less those of earlier runs that wait.',
  },
  countedUntil: { type: 'gauge', help: 'The counters hold every click before this time, in microseconds.' },
} as const satisfies Record<string, MetricNote>
