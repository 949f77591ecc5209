import { codePath } from '../../codes/unusual-code.ts'
import { html, type Html, NO_HTML, page, STABLE_CSS_HREF } from '../../html/html.ts'
import { DAY_US, HOUR_US, MINUTE_US } from '../../runtime/clock.ts'
import { once } from '../../runtime/make-once.ts'
import type { LinkPreview } from '../../links/find-preview.ts'
import { FROM_PREVIEW } from '../../redirect/forward-query.ts'
import { longDate, PERCH, reportLink } from '../../redirect/notice-pages.ts'

export type Preview = LinkPreview & {
  /** As in a browser's address bar: without the scheme. */
  host: string
  code: string
  /** Pure ASCII; undefined where a visitor has to open the link to learn it. */
  destination: string | undefined
  nowUs: number
}

/** What deceives is the host, and a longer path hides the button. */
const DESTINATION_CHARS_MAX = 500

/** Says where a link leads before it is opened. No script, and nothing of the destination's. */
export function previewPage({ host, code, destination, title, nowUs, ...facts }: Preview): string {
  const body = html`<main class="notice">
    <div class="preview">
      <div class="preview-head">
        ${PERCH}
        <h1>
          <span class="preview-label">The link</span>
          <span dir="ltr">${host}/<b>${code}</b></span>
        </h1>
      </div>
      <div class="preview-card">
        ${destination === undefined ? HIDDEN : shownDestination(destination)}
        ${title === '' || destination === undefined ? NO_HTML : ownersTitle(title)}
      </div>
      <ul>
        ${facts.destinationChangedAtUs === null ? NO_HTML : changedFact(facts.destinationChangedAtUs, nowUs)}
        ${facts.dependsOn.length > 0 && destination !== undefined ? dependsFact(facts.dependsOn) : NO_HTML}
        <li>Created ${longDate(facts.createdAtUs)}.</li>
      </ul>
      <a class="button button-primary" href="/${codePath(code)}?${FROM_PREVIEW}" rel="nofollow">
        ${destination === undefined ? 'Open the link' : continueText(destination)}
      </a>
      <p class="preview-foot">${reportLink(code)} <a href="/#visitors">About this page</a></p>
    </div>
  </main>`
  return page({ title: `Preview of ${host}/${code}`, body, cssHref: STABLE_CSS_HREF })
}

const HIDDEN = html`<p class="preview-label">This link shows where it leads only to those who open it.</p>`

const ago = once(() => new Intl.RelativeTimeFormat('en'))
const AGO_STEPS = [
  ['day', DAY_US],
  ['hour', HOUR_US],
  ['minute', MINUTE_US],
] as const
/** Then the date says more. */
const AGO_US_MAX = 30 * DAY_US

const changedFact = (atUs: number, nowUs: number): Html =>
  html`<li><b>The destination changed ${agoText(atUs, nowUs)}.</b></li>`

function agoText(atUs: number, nowUs: number): string {
  const agoUs = nowUs - atUs
  if (agoUs > AGO_US_MAX) return `on ${longDate(atUs)}`
  const [unit, unitUs] = AGO_STEPS.find(([, each]) => agoUs >= each) ?? []
  return unit === undefined ? 'just now' : ago().format(-Math.floor(agoUs / unitUs), unit)
}

const list = once(() => new Intl.ListFormat('en'))
const DEPENDENCIES: Record<LinkPreview['dependsOn'][number], string> = {
  country: 'country',
  device: 'device',
  os: 'operating system',
  browser: 'browser',
  language: 'language',
  query: 'the query string',
  between: 'date',
  hours: 'time of day',
  split: 'chance',
}

const dependsFact = (names: LinkPreview['dependsOn']): Html =>
  html`<li>
    Where you land depends on ${list().format(new Set(names.map((name) => DEPENDENCIES[name])))}. This is
    where you would land now.
  </li>`

/** A number or an address of an app may have no host. */
function continueText(destination: string): string {
  const { host } = new URL(destination)
  return host === '' ? 'Continue' : `Continue to ${host}`
}

function shownDestination(destination: string): Html {
  const { protocol, host } = new URL(destination)
  const slashes = destination.startsWith('//', protocol.length) ? '//' : ''
  const path = destination.slice(protocol.length + slashes.length + host.length)
  const start = path.length <= DESTINATION_CHARS_MAX ? path : `${path.slice(0, DESTINATION_CHARS_MAX)}…`
  return html`<p class="preview-label">goes to</p>
    <p class="preview-destination" dir="ltr">${protocol}${slashes}<b>${host}</b>${start}</p>`
}

const ownersTitle = (title: string): Html =>
  html`<div class="preview-title">
    <p><bdi>${title}</bdi></p>
    <p class="preview-label">Title given by the owner of the link</p>
  </div>`
