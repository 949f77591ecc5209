import { html, type Html } from '../../html.ts'

/** Which entry of the head is the page itself. */
type Place = 'home' | 'docs'

/** The mark: a tern's head, black cap and coral beak. The same drawing as favicon.svg. */
export const MARK = html`<svg
  class="mark"
  viewBox="0 0 32 32"
  width="28"
  height="28"
  aria-hidden="true"
  focusable="false"
>
  <rect width="32" height="32" rx="8" fill="#2b7396" />
  <path
    fill="#f7f9fa"
    d="M5.500 31.500C5.500 26.500 7 22 6.600 16.500C7 10 10.500 7 14.500 7C19 7 21.500 10 22.300 13C22.800 15.500 22.300 18 20.800 19.800C20 23 22.500 27 23.500 31.500Z"
  />
</svg>`

export const siteHead = (place: Place): Html =>
  html`<a class="skip" href="#main">Skip to content</a>
    <header class="site-head">
      <div class="site-head-in">
        <a class="brand" href="/" ${place === 'home' ? CURRENT : ''}>${MARK}<span>Tern</span></a>
        <nav aria-label="Site">
          <a href="/docs" ${place === 'docs' ? CURRENT : ''}>API reference</a>
        </nav>
      </div>
    </header>`

const CURRENT = html` aria-current="page"`

export const siteFoot = (what: string): Html =>
  html`<footer class="site-foot">
    <div class="site-foot-in">
      <p>${what}</p>
      <nav aria-label="More">
        <a href="/docs">API reference</a>
        <a href="/#visitors">For visitors</a>
        <a href="/api/health">Health</a>
      </nav>
    </div>
  </footer>`
