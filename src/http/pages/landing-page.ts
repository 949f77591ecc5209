import { html, page, type Html } from '../../html/html.ts'
import { codeBlock, jsonMarkup, shellMarkup } from './reference/code-markup.ts'
import { CSS_HREF } from './site-css.ts'
import { SITE_FOOT, siteHead } from './site-shell.ts'
import { TERN_IN_FLIGHT } from './tern-drawing.ts'

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
