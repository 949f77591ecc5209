import { html, Html } from '../../html/html.ts'
import { API_VERSION, VERSION } from '../../runtime/version.ts'
import markSvg from './favicon.svg' with { type: 'text' }

/** The entry of the navigation that is the current page. */
type SitePage = 'home' | 'docs'

// The icon, which the dashboard draws by itself: a test compares the two.
export const MARK = html`<span class="mark" aria-hidden="true">${new Html(markSvg)}</span>`

export const siteHead = (place: SitePage): Html =>
  html`<a class="skip" href="#main">Skip to content</a>
    <header class="site-head">
      <div class="site-head-in">
        <a class="brand" href="/" ${place === 'home' ? CURRENT : ''}>${MARK}<span>Tern</span></a>
        <nav aria-label="Site">
          ${place === 'docs' && html`<a class="only-narrow" href="#contents">Contents</a>`}
          <a href="/docs" ${place === 'docs' ? CURRENT : ''}>API reference</a>
          <a href="/dashboard">Dashboard</a>
        </nav>
      </div>
    </header>`

const CURRENT = html` aria-current="page"`

/** With the versions of Tern and of its API. */
export const SITE_FOOT: Html = html`<footer class="site-foot">
  <div class="site-foot-in">
    <p>Tern ${VERSION} · API ${API_VERSION}</p>
    <nav aria-label="More">
      <a href="/docs">API reference</a>
      <a href="/#visitors">For visitors</a>
      <a href="/api/health">Health</a>
    </nav>
  </div>
</footer>`
