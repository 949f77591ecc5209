import { couldOpen } from '../codes/unusual-code.ts'
import { once } from '../runtime/make-once.ts'
import { type Html, html, NO_HTML, page, STABLE_CSS_HREF } from '../html/html.ts'

/** What a visitor reads instead of being redirected. Plain text; `noticePage` escapes it. */
export type Notice = {
  title: string
  sentence: string
  /** What the visitor typed after the slash. */
  code?: string | undefined
  /** False if there is no such link, or reports cannot be taken. */
  isReportable?: boolean
  form?: Html | undefined
}

// No code is longer.
const CODE_CHARS_MAX = 64

/** A small page without scripts. It shows what the visitor typed, so everything must stay plain text. */
export function noticePage({ title, sentence, code, isReportable = true, form = NO_HTML }: Notice): string {
  const body = html`<main class="notice">
    <div class="notice-card">
      ${PERCH}
      <h1>${title}</h1>
      <p>${sentence}</p>
      ${form} ${code ? html`<p class="notice-code"><code dir="ltr">/${shownCode(code)}</code></p>` : NO_HTML}
      <p class="notice-foot">
        ${code && isReportable && couldOpen(code) ? reportLink(code) : NO_HTML}
        <a href="/#visitors">About this page</a>
      </p>
    </div>
  </main>`
  return page({ title, body, cssHref: STABLE_CSS_HREF })
}

/** To the form for it. */
export const reportLink = (code: string): Html =>
  html`<a href="/report/${encodeURIComponent(code)}" rel="nofollow">Report this link</a>`

export const unknownLinkPage = (code: string): string =>
  noticePage({
    title: 'No such link',
    sentence: 'This short URL does not lead anywhere. It may have been mistyped, or removed by its owner.',
    code,
    isReportable: false,
  })

export const disabledPage = (code: string): string =>
  noticePage({
    title: 'This link is disabled',
    sentence: 'Its owner has disabled it. It may work again later.',
    code,
  })

export const loopPage = (code: string): string =>
  noticePage({
    title: 'This link leads in a circle',
    sentence: 'Its destination is a short URL of this server. Only its owner can change it.',
    code,
  })

export const blockedPage = (code: string): string =>
  noticePage({
    title: 'This link is blocked',
    sentence: 'The operator of this server has blocked its destination.',
    code,
  })

export const scheduledPage = (code: string, startsAtUs: number): string =>
  noticePage({
    title: 'This link is not active yet',
    sentence: `It starts working on ${minuteFormat().format(startsAtUs / 1000)} UTC.`,
    code,
  })

export const expiredPage = (code: string, expiresAtUs: number): string =>
  noticePage({
    title: 'This link has expired',
    sentence: `It stopped working on ${longDate(expiresAtUs)}. Only its owner can extend it.`,
    code,
  })

export const exhaustedPage = (code: string): string =>
  noticePage({
    title: 'This link has reached its limit',
    sentence: 'It was made for a certain number of visitors. Only its owner can raise it.',
    code,
  })

export const visitorsOnlyPage = (code: string): string =>
  noticePage({
    title: 'A link for visitors',
    sentence: 'It was made for a certain number of visitors. Open it in a browser to see where it leads.',
    code,
  })

export type PasswordForm = {
  /** About the password that was entered before. */
  error?: string
  /** Where the form is sent, if not to the URL of the page. */
  action?: string
}

export const passwordPage = (code: string, form: PasswordForm = {}): string =>
  noticePage({
    title: 'This link needs a password',
    sentence: 'Ask the person who gave you the link.',
    code,
    form: passwordForm(form),
  })

export const foreignFormPage = (code: string): string =>
  noticePage({
    title: 'The password was not checked',
    sentence: 'It did not come from a page of this server. Open the link, and enter it there.',
    code,
    form: TRY_AGAIN,
  })

/** For now. `sentence`: why, and when to try again. */
export const unavailablePage = (code: string, sentence: string): string =>
  noticePage({
    title: 'This link cannot be opened right now',
    sentence,
    code,
    isReportable: false,
    form: TRY_AGAIN,
  })

// The URL of the page, with its query, and never a form again.
const TRY_AGAIN = html`<p class="notice-again">
  <a class="button button-primary" href="" rel="nofollow">Try again</a>
</p>`

// The server does not know the visitor's time zone.
const dateFormat = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }))
const minuteFormat = once(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
)

/** `November 30, 2026` */
export const longDate = (atUs: number): string => dateFormat().format(atUs / 1000)

export const tooManyTriesPage = (): string =>
  noticePage({
    title: 'Too many attempts',
    sentence:
      'Many short URLs that do not exist were opened from your network. Wait a minute, then try again.',
  })

// Without an action, it goes to the short URL itself. Without `maxlength`, which would cut what is pasted.
export const passwordForm = ({ error, action }: PasswordForm): Html =>
  html`<form class="password-form" method="post" ${action === undefined ? NO_HTML : html`action="${action}"`}>
    <label for="password">Password</label>
    <div class="password-line">
      ${error === undefined ? PASSWORD_FIELD : WRONG_PASSWORD_FIELD}
      <button class="button button-primary">Continue</button>
    </div>
    ${error === undefined ? NO_HTML : html`<p class="password-error" id="error" role="alert">${ALERT}${error}</p>`}
  </form>`

const PASSWORD_FIELD = html`<input
  id="password"
  name="password"
  type="password"
  autocomplete="off"
  required
  autofocus
/>`

const WRONG_PASSWORD_FIELD = html`<input
  id="password"
  name="password"
  type="password"
  autocomplete="off"
  aria-invalid="true"
  aria-describedby="error"
  required
  autofocus
/>`

const ALERT = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
  <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" stroke-width="1.3" />
  <path d="M8 4.6V8.6M8 10.8V11.2" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" />
</svg>`

function shownCode(code: string): string {
  // Control characters and direction marks could make the line look like something else.
  const plain = code.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
  const characters = [...plain]
  return characters.length <= CODE_CHARS_MAX ? plain : characters.slice(0, CODE_CHARS_MAX).join('') + '…'
}

// A tern that rests on a line that ends.
export const PERCH = html`<svg
  class="perch"
  viewBox="0 0 96 64"
  width="96"
  height="64"
  aria-hidden="true"
  focusable="false"
>
  <path
    class="perch-line"
    d="M4 54H62M70 54H74M82 54H84"
    fill="none"
    stroke-width="2"
    stroke-linecap="round"
  />
  <path class="bird-leg" d="M41 44V53.5M45.5 44V53.5" fill="none" stroke-width="2" stroke-linecap="round" />
  <path
    class="bird-body"
    d="M66 19C63 14 57 13 53 16C49 19 46 22 40 24C31 27 22 33 15 40C24 46 36 48 46 45C56 42 63 34 65 25C66 23 67 21 66 19Z"
  />
  <path class="bird-wing" d="M53 27C43 27 27 33 4 46C22 46 38 44 47 40C53 37 56 31 53 27Z" />
  <path class="bird-cap" d="M66.5 20.5C62 20 56 20.5 50 19.5C54 13 62 11.5 66.5 17Z" />
  <path class="bird-beak" d="M66.2 17.5C70 18 75 19.8 79 22.5C74 22.3 69 22.500 66 22.8Z" />
</svg>`
