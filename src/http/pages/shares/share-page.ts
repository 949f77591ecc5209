import type { BreakdownRow } from '../../../analytics/click-counts.ts'
import { html, type Html, NO_HTML, page } from '../../../html/html.ts'
import type { PublicShare } from '../../../shares/find-public-share.ts'
import {
  type Compared,
  SHARE_RANGES,
  type SharedReport,
  type ShareRange,
} from '../../../shares/shared-report.ts'
import { CSS_HREF } from '../site-css.ts'
import { MARK } from '../site-shell.ts'
import { clicksChart } from './share-chart.ts'
import { percentText, wholeText } from '../../../runtime/number-text.ts'
import { changeText, KIND_NAMES, NAME_OF, RANGE_NAMES, TITLES } from './share-texts.ts'

export type SharePage = {
  share: PublicShare
  report: SharedReport
  range: ShareRange
  /** Without the scheme, of each domain. */
  /** What stands before the code: `go.example`. */
  hostOf(domainId: number): string
  /** Undefined unless the owner shows it, and the operator has not blocked it. */
  destination: string | undefined
  /** For a page with a password: what proves that it was entered. */
  token: string | undefined
}

/** No script, no cookie, and nothing from elsewhere. A destination is text, so the page leads nowhere. */
export function sharePage(shown: SharePage): string {
  const { share, report, range } = shown
  const body = html`<div class="share">
    <header class="site-head">
      <div class="site-head-in">
        <span class="brand">${MARK}<span>Tern</span></span>
        <p class="share-by">
          Shared by <b><bdi>${share.workspaceName}</bdi></b>
        </p>
      </div>
    </header>
    <main class="share-main">
      <div class="share-head">${heading(shown)} ${rangeControl(shown)}</div>
      ${tiles(report)} ${report.time && card('Clicks over time', clicksChart(report.time))}
      <div class="share-panels">${panels(shown)}</div>
    </main>
    <footer class="site-foot">
      <div class="site-foot-in">
        <p>
          ${RANGE_NAMES[range].long}, with days in UTC. At most a minute old. Bots are not counted.
          ${report.clicks.change === null ? NO_HTML : WHOLE_DAYS}
          ${report.imported === 0 ? NO_HTML : IMPORTED}
        </p>
        <nav aria-label="More"><a href="/#visitors">About this page</a></nav>
      </div>
    </footer>
  </div>`
  return page({ title: `Statistics of ${nameOf(shown)}`, body, cssHref: CSS_HREF })
}

const WHOLE_DAYS = html`Changes compare the days that are over with as many before.`

const IMPORTED = html`Imported clicks were counted by another program, and are in no other number.`

const nameOf = ({ share: { subject }, hostOf }: SharePage): string =>
  subject.kind === 'link' ? `${hostOf(subject.domainId)}/${subject.code}` : subject.name

function heading({ share: { subject }, hostOf, destination }: SharePage): Html {
  if (subject.kind !== 'link')
    return html`<div>
      <p class="share-title">${KIND_NAMES[subject.kind]}</p>
      <h1><bdi>${subject.name}</bdi></h1>
    </div>`
  return html`<div>
    <h1 dir="ltr"><span class="soft">${hostOf(subject.domainId)}/</span><wbr />${subject.code}</h1>
    ${subject.title === '' ? NO_HTML : html`<p class="share-title"><bdi>${subject.title}</bdi></p>`}
    ${
      destination === undefined
        ? NO_HTML
        : html`<p class="share-title">
            Leads to <span class="share-destination" dir="ltr">${destination}</span>
          </p>`
    }
  </div>`
}

/** Links; buttons of a form where each request has to prove that the password was entered. */
function rangeControl({ share, range, token }: SharePage): Html {
  const choices = SHARE_RANGES.map((each) => {
    const { short, long } = RANGE_NAMES[each]
    const name = html`<span aria-hidden="true">${short}</span><span class="for-readers">${long}</span>`
    const current = each === range ? CURRENT : NO_HTML
    return token === undefined
      ? html`<a href="?range=${each}" ${current}>${name}</a>`
      : html`<button name="range" value="${each}" ${current}>${name}</button>`
  })
  return token === undefined
    ? html`<nav class="share-ranges" aria-label="Time range">${choices}</nav>`
    : html`<form class="share-ranges" method="post" action="/share/${share.secret}" aria-label="Time range">
        <input type="hidden" name="token" value="${token}" />
        ${choices}
      </form>`
}

const CURRENT = html`aria-current="true"`

function tiles({ clicks, imported, time, breakdowns }: SharedReport): Html {
  const scans = breakdowns.via && (breakdowns.via.find(({ value }) => value === 'qr')?.clicks ?? 0)
  return html`<dl class="share-tiles">
    ${tile('Clicks', clicks, imported)} ${time && tile('Unique visitors', time.visitors)}
    ${scans === undefined ? NO_HTML : tile('QR scans', { count: scans, change: null })}
    ${time && tile('Today so far', { count: time.today, change: null })}
  </dl>`
}

const tile = (label: string, { count, change }: Compared, imported = 0): Html =>
  html`<div class="share-tile">
    <dt>${label}</dt>
    <dd class="share-number">${wholeText(count)}</dd>
    ${imported === 0 ? NO_HTML : html`<dd class="share-change">+ ${wholeText(imported)} imported</dd>`}
    ${change === null ? NO_HTML : html`<dd class="share-change">${changeText(change)}</dd>`}
  </div>`

function panels({ share, report, hostOf }: SharePage): Html[] {
  const { breakdowns, sources, links } = report
  const named = (name: keyof typeof NAME_OF) => (row: BreakdownRow) => ({
    ...row,
    name: NAME_OF[name](row.value),
  })
  const cards: Partial<Record<PublicShare['panels'][number], Html>> = {
    ...(breakdowns.country && {
      countries: bars(TITLES.countries, breakdowns.country.map(named('country'))),
    }),
    ...(sources && { sources: bars(TITLES.sources, sources.map(named('source'))) }),
    ...(breakdowns.device && {
      devices: html`${bars('Devices', breakdowns.device.map(named('device')))}
      ${bars('Browsers', (breakdowns.browser ?? []).map(named('browser')))}`,
    }),
    ...(breakdowns.via && { via: bars(TITLES.via, breakdowns.via.map(named('via'))) }),
    ...(links && {
      links: bars(
        TITLES.links,
        links.map(({ domainId, code, ...counts }) => ({ ...counts, name: `${hostOf(domainId)}/${code}` })),
      ),
    }),
  }
  return share.panels.flatMap((panel) => cards[panel] ?? [])
}

type Bar = { name: string; clicks: number; percentage: number }

function bars(title: string, rows: readonly Bar[]): Html {
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  const list = html`<ol class="share-bars">
    ${rows.map(
      ({ name, clicks, percentage }) =>
        html`<li>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width="${Math.round((clicks / most) * 1_000) / 10}" height="1" />
          </svg>
          <bdi>${name}</bdi> <b>${wholeText(clicks)}</b> <span class="soft">${percentText(percentage)}</span>
        </li>`,
    )}
  </ol>`
  return card(title, rows.length === 0 ? html`<p class="share-none">No clicks in this time.</p>` : list)
}

const card = (title: string, content: Html): Html =>
  html`<section class="share-card">
    <h2>${title}</h2>
    ${content}
  </section>`
