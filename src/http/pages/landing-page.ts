import { html, page, type Html } from '../../html.ts'
import { codeBlock, jsonMarkup, shellMarkup } from './code-markup.ts'
import { CSS_HREF } from './site-css.ts'
import { SITE_FOOT, siteHead } from './site-shell.ts'
import { TERN_IN_FLIGHT } from './tern-drawing.ts'

type Instance = { baseUrl: string; signUp: 'open' | 'invite' | 'closed' }

/** What this instance is, for the two who come here: someone with a link in hand, and someone who wants to make one. */
export function landingPage({ baseUrl, signUp }: Instance): string {
  const host = new URL(baseUrl).host
  const body = html`${siteHead('home')}
    <main id="main" class="landing">
      ${heroHtml(host, signUp === 'open')} ${developersHtml(baseUrl)} ${promisesHtml()}
      ${visitorsHtml(baseUrl)}
    </main>
    ${SITE_FOOT}`
  const description = `${host} makes long web addresses short and counts how often they are opened, without keeping who opened them.`
  return page({ title: `${host} · short links`, description, body, cssHref: CSS_HREF })
}

const heroHtml = (host: string, canSignUp: boolean): Html =>
  html`<section class="hero">
    <div>
      <p class="eyebrow">${host}</p>
      <h1>Short addresses that travel far</h1>
      <p class="lead">
        This is a URL shortener, run by its owner on Tern. It gives a long address a short one, sends every
        visitor on, and counts the openings without keeping track of people.
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
    `  -d '{"original_url": "https://example.com/a/long/address"}'`,
  ].join('\n')
  const answer = {
    success: true,
    data: { short_code: 'q7RmZx3', short_url: `${baseUrl}/q7RmZx3`, click_count: 0 },
  }
  return html`<section class="developers" aria-labelledby="developers">
    <div class="section-text">
      <h2 id="developers">One request makes a link</h2>
      <p>
        A JSON API with keys, scopes and limits: create links one by one or a hundred at a time, edit them,
        switch them off, draw their QR codes, and read their clicks by day, country, device and browser.
      </p>
      <p><a href="/docs">All requests and answers</a></p>
    </div>
    <div class="code-stack">
      <figure class="code-card">
        <figcaption>Request</figcaption>
        ${codeBlock(shellMarkup(command), 'curl: create a link')}
      </figure>
      <figure class="code-card">
        <figcaption>Answer <span class="soft">in part</span></figcaption>
        ${codeBlock(jsonMarkup(answer), 'Answer: create a link')}
      </figure>
    </div>
  </section>`
}

const promisesHtml = (): Html =>
  html`<section class="promises" aria-label="What to expect">
    <div>
      <h3>Counted once</h3>
      <p>
        A click shows in the numbers within seconds. Crawlers and link previews that name themselves are
        counted apart.
      </p>
    </div>
    <div>
      <h3>Open to change</h3>
      <p>
        A link can be given a new destination or be switched off at any time. Browsers are told not to
        remember it.
      </p>
    </div>
    <div>
      <h3>Nobody followed</h3>
      <p>
        No IP address is stored and no cookie is set when a link is opened. Global Privacy Control and Do Not
        Track are heeded.
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
          To the page its author chose, on another site. To see the destination without opening the link, open
          <code class="break">${baseUrl}/api/info/<span class="path-parameter">code</span></code
          >, with what stands after the slash of the short address in place of
          <span class="path-parameter">code</span>.
        </dd>
      </div>
      <div>
        <dt>What is recorded?</dt>
        <dd>
          The moment, the country, the kind of device and browser, and the site that held the link. Not your
          IP address: visitors are told apart by a fingerprint made with a secret that changes every day and
          is destroyed within two. If your browser sends Global Privacy Control or Do Not Track, the opening
          is counted without it.
        </dd>
      </div>
      <div>
        <dt>It does not work</dt>
        <dd>
          Capital and small letters are different in a short address, so try copying it again. Otherwise its
          author has removed it or switched it off, and only they can bring it back.
        </dd>
      </div>
    </dl>
  </section>`
