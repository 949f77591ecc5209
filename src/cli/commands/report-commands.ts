import { COMMAND_LINE } from '../../access/caller.ts'
import { closeReports, openReportOf } from '../../operator/reports/close-reports.ts'
import { listReportedLinks, type ReportedLink } from '../../operator/reports/list-reports.ts'
import { REASON_NAMES } from '../../operator/reports/report-fields.ts'
import { reportedLinkView } from '../../http/endpoints/report-endpoints.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { Command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'

const LINKS_PER_PAGE = 100

export const reportCommands: Command[] = [
  {
    name: 'report list',
    summary: 'List the links that visitors have reported, those reported last first.',
    options: {
      closed: { type: 'boolean', meaning: 'Closed reports instead of open ones.' },
      page: { type: 'string', value: 'number', meaning: `A page has ${LINKS_PER_PAGE} links; default: 1.` },
      json: { type: 'boolean', meaning: 'Print JSON, with the messages of the visitors.' },
    },
    async run(call, { readStore, print }) {
      const state = call.isSet('closed') ? 'closed' : 'open'
      const page = wholeNumber(call.text('page') ?? '1', 'page', 1)
      const { links, total } = await readStore((db) =>
        listReportedLinks(db, { state, page, perPage: LINKS_PER_PAGE }),
      )
      if (call.isSet('json')) return print(JSON.stringify(links.map(reportedLinkView)))
      if (total === 0) return print(`There are no ${state} reports.`)
      print(textTable(COLUMNS, links.map(cellsOf)))
      const pages = Math.ceil(total / LINKS_PER_PAGE)
      if (pages > 1) print(`Page ${page} of ${pages}. Choose another one with --page.`)
    },
  },
  {
    name: 'report close',
    words: ['<link>'],
    summary: 'Close all open reports about a link, given by its number in the list. The link stays as it is.',
    async run(call, { withStore, clock, print }) {
      const linkId = wholeNumber(call.words[0]!, 'link')
      const { shortUrl, closed } = await withStore(async (db) => ({
        ...(await openReportOf(db, linkId)),
        closed: await closeReports({ db, clock }, COMMAND_LINE, linkId),
      }))
      print(`Closed ${closed === 1 ? '1 report' : `${closed} reports`} about ${shortUrl}.`)
    },
  },
]

const COLUMNS = ['link', 'short url', 'now', 'owner', 'reports', 'last reason', 'last reported']

// Not the messages: they are text of strangers, which could control the terminal. JSON escapes it.
const cellsOf = ({ linkId, shortUrl, now, workspace, count, reports: [latest] }: ReportedLink): string[] => [
  String(linkId),
  shortUrl,
  now === undefined ? 'deleted' : now.isActive ? 'active' : 'disabled',
  workspace?.ownerEmail ?? '',
  String(count),
  REASON_NAMES[latest!.reason],
  isoMicroseconds(latest!.reportedAtUs).slice(0, 19) + 'Z',
]
