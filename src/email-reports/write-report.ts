import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { Config } from '../config/config.ts'
import { Domains } from '../links/domains/domains.ts'
import { readDomains } from '../links/domains/read-domains.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { signatureOf } from '../signing/signature.ts'
import { writerOf } from '../users/tokens/mailed-link.ts'
import type { DueReader } from './due-readers.ts'
import { periodFigures } from './period-figures.ts'
import { reportEmail } from './report-email.ts'
import { type ReportPeriod, spanOf } from './report-period.ts'
import { unsubscribeHref } from './unsubscribe.ts'

export type WriteReportDeps = {
  clickQueries: ClickQueries
  config: Pick<Config, 'baseUrl' | 'unknownHosts'>
}

/** The email about a period. Undefined if there is nothing to say. */
export async function writeReport(
  { clickQueries, config }: WriteReportDeps,
  reader: DueReader,
  { period, nowUs }: { period: ReportPeriod; nowUs: number },
): Promise<EmailTemplate | undefined> {
  const { baseUrl } = config
  const { links, ...figures } = await periodFigures(clickQueries, { ...reader, period, nowUs })
  const domains = new Domains(config)
  domains.replace(await readDomains(clickQueries.db))
  const reported = links.map(({ title, clicks, domainId, code }) => ({
    title,
    clicks,
    shortUrl: `${domains.prefixedHostOf(domainId)}/${code}`,
  }))
  return reportEmail(writerOf({ baseUrl }), {
    ...reader,
    to: reader.email,
    period,
    figures: { ...figures, links: reported },
    href: analyticsHref(baseUrl, reader, period),
    unsubscribeHref: unsubscribeHref(baseUrl, reader, reader.secret),
    messageId: `<${reportId(reader, period)}@${new URL(baseUrl).hostname}>`,
  })
}

/** The same as often as the report of a period is sent. Says nothing about its reader. */
export const reportId = (
  { workspaceId, userId, frequency, secret }: DueReader,
  { to }: ReportPeriod,
): string => signatureOf({ subject: `report ${workspaceId} ${userId} ${frequency} ${to}`, key: secret })

/** The overview of exactly this time, in whichever time zone its browser is. */
function analyticsHref(baseUrl: string, { workspaceId, timezone }: DueReader, period: ReportPeriod): string {
  const query = new URLSearchParams({ ...spanOf(period, timezone), workspace: String(workspaceId) })
  return `${baseUrl}/dashboard/overview?${query}`
}
