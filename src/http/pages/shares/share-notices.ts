import { html, type Html } from '../../../html/html.ts'
import { noticePage, passwordForm } from '../../../redirect/notice-pages.ts'

/** The same whatever the reason is, so that it says nothing about a page that was shared once. */
export const notSharedPage = (): string =>
  noticePage({
    title: 'These statistics are not shared',
    sentence: 'Their owner may have stopped sharing them, or the link may have been mistyped.',
  })

type PasswordError = { attemptsLeft: number } | { retryAfterSeconds: number }

export const sharePasswordPage = (error?: PasswordError): string =>
  noticePage({
    title: 'These statistics need a password',
    sentence: 'Ask the person who gave you the link.',
    form: passwordForm(error === undefined ? {} : { error: sentenceOf(error) }),
  })

function sentenceOf(error: PasswordError): string {
  if ('attemptsLeft' in error) {
    const { attemptsLeft } = error
    return `Wrong password. ${attemptsLeft === 1 ? '1 attempt is left.' : `${attemptsLeft} attempts are left.`}`
  }
  const minutes = Math.ceil(error.retryAfterSeconds / 60)
  return `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`
}

const UNAVAILABLE = 'These statistics cannot be shown right now'

/** `sentence`: why, and when to try again. */
export const shareUnavailablePage = (sentence: string): string =>
  noticePage({ title: UNAVAILABLE, sentence, form: wayOn('', 'Try again') })

/** The same for whatever a report refuses: its reasons are for who chose what it is about. */
export const tooManyClicksPage = (): string =>
  noticePage({
    title: UNAVAILABLE,
    sentence: 'There are too many links or clicks to add up. A shorter time may work.',
    form: wayOn('?range=7d', 'Show the last 7 days'),
  })

const wayOn = (href: string, text: string): Html =>
  html`<p class="notice-again">
    <a class="button button-primary" href="${href}" rel="nofollow">${text}</a>
  </p>`
