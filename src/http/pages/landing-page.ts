import { html, type Html, page } from '../../html/html.ts'
import { codeBlock, jsonMarkup, shellMarkup } from './reference/code-markup.ts'
import { CSS_HREF } from './site-css.ts'
import { SITE_FOOT, siteHead } from './site-shell.ts'

/** A flying tern with its path. The stylesheet sets the colors, for light and dark. */
const TERN_IN_FLIGHT = html`<svg
  class="tern"
  viewBox="0 0 420 230"
  width="420"
  height="230"
  aria-hidden="true"
  focusable="false"
>
  <circle class="tern-sky" cx="256" cy="112" r="104" />
  <path
    class="tern-path"
    d="M6 212C70 214 120 200 168 158"
    fill="none"
    stroke-width="2"
    stroke-linecap="round"
    stroke-dasharray="1 9"
  />
  <path class="bird-wing-far" d="M262 122C250 92 254 52 292 8C300 44 298 88 284 122Z" />
  <path class="bird-tail" d="M226 146C190 160 146 180 90 198C124 172 160 146 216 124Z" />
  <path
    class="bird-body"
    d="M112 172C150 158 182 138 214 122C244 108 284 100 312 106C326 109 333 117 334 125C326 136 300 146 268 149C236 152 206 150 182 154C160 158 136 164 112 172Z"
  />
  <path class="bird-wing" d="M276 118C258 84 214 44 128 14C150 54 178 106 216 140C238 148 266 140 276 118Z" />
  <path class="bird-wing-tip" d="M128 14C148 22 166 30 182 39C178 44 172 48 165 50C152 38 138 26 128 14Z" />
  <path class="bird-cap" d="M336 121C330 106 312 98 290 104C300 111 312 118 336 121Z" />
  <path
    class="bird-beak"
    d="M333 114C346 116 358 121 370 129C358 129 346 128 334 127C335 123 335 118 333 114Z"
  />
</svg>`

type Instance = { baseUrl: string; signUp: 'open' | 'invite' | 'closed' }

/** For people who followed a short URL here, and for those who want to create one. */
export function landingPage({ baseUrl, signUp }: Instance): string {
  const host = new URL(baseUrl).host
  const body = html`${siteHead('home')}
    <main id="main" class="landing">
      ${heroHtml(host, signUp === 'open')} ${developersHtml(baseUrl)} ${promisesHtml()}
      ${visitorsHtml(baseUrl)}
    </main>
    ${SITE_FOOT}`
  const description = `${host} shortens URLs and counts clicks without tracking visitors.`
  return page({ title: `${host} · short links`, description, body, cssHref: CSS_HREF })
}

const heroHtml = (host: string, canSignUp: boolean): Html =>
  html`<section class="hero">
    <div>
      <p class="eyebrow">${host}</p>
      <h1>Short links that travel far</h1>
      <p class="lead">
        This is a URL shortener that runs on Tern. It turns long URLs into short links, redirects every
        visitor, and counts clicks without tracking anyone.
      </p>
      <p class="actions">
        ${canSignUp && html`<a class="button button-primary" href="/dashboard/sign-up">Sign up</a>`}
        <a class="button ${canSignUp ? '' : 'button-primary'}" href="/dashboard/sign-in">Sign in</a>
        <a class="button" href="#visitors">I was sent a link</a>
      </p>
    </div>
    <div class="hero-picture">
      ${TERN_IN_FLIGHT}
      <div class="before-after" aria-label="Example">
        <p class="before">https://example.com/field-notes/2026/spring/arctic-tern-arrivals?page=3</p>
        <p class="after"><span>${host}</span>/arrivals</p>
      </div>
    </div>
  </section>`

function developersHtml(baseUrl: string): Html {
  const command = [
    `curl ${baseUrl}/api/links \\`,
    '  -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"original_url": "https://example.com/a/long/url"}'`,
  ].join('\n')
  const answer = {
    success: true,
    data: { short_code: 'q7RmZx3', short_url: `${baseUrl}/q7RmZx3`, click_count: 0 },
  }
  return html`<section class="developers" aria-labelledby="developers">
    <div class="section-text">
      <h2 id="developers">One request creates a link</h2>
      <p>
        A JSON API with keys, scopes and rate limits: create links one by one or a hundred at a time, edit and
        disable them, get their QR codes, and read their clicks by day, country, device and browser.
      </p>
      <p><a href="/docs">All endpoints</a></p>
    </div>
    <div class="code-stack">
      <figure class="code-card">
        <figcaption>Request</figcaption>
        ${codeBlock(shellMarkup(command), 'curl: create a link')}
      </figure>
      <figure class="code-card">
        <figcaption>Response <span class="soft">(excerpt)</span></figcaption>
        ${codeBlock(jsonMarkup(answer), 'Response: create a link')}
      </figure>
    </div>
  </section>`
}

const promisesHtml = (): Html =>
  html`<section class="promises" aria-label="What to expect">
    <div>
      <h3>Counted once</h3>
      <p>
        A click shows in the analytics within seconds. Crawlers and link previews that identify themselves are
        counted separately.
      </p>
    </div>
    <div>
      <h3>Editable at any time</h3>
      <p>
        Change the destination of a link or disable it whenever you like. Browsers do not cache the redirect.
      </p>
    </div>
    <div>
      <h3>No tracking</h3>
      <p>
        Opening a link stores no IP address and sets no cookie. Global Privacy Control and Do Not Track are
        respected.
      </p>
    </div>
  </section>`

const visitorsHtml = (baseUrl: string): Html =>
  html`<section class="visitors" aria-labelledby="visitors">
    <h2 id="visitors">Were you sent a link from here?</h2>
    <dl>
      <div>
        <dt>Where does it lead?</dt>
        <dd>
          To the page its owner chose, on another site. To see the destination without opening the link, open
          <code class="break">${baseUrl}/api/info/<span class="path-parameter">code</span></code
          >, where <span class="path-parameter">code</span> is the part of the short URL after the slash.
        </dd>
      </div>
      <div>
        <dt>What is recorded?</dt>
        <dd>
          The time, the country, the type of device and browser, and the site that linked here. Not your IP
          address: unique visitors are counted by a hash whose secret changes every day and is destroyed
          within two. If your browser sends Global Privacy Control or Do Not Track, the click is counted
          without the hash.
        </dd>
      </div>
      <div>
        <dt>It does not work</dt>
        <dd>
          Short URLs are case-sensitive, so try copying it again. If that does not help, its owner has deleted
          or disabled it, and only they can bring it back.
        </dd>
      </div>
    </dl>
  </section>`
