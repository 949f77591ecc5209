import type { Letter } from './letter.ts'

/** The words of every mail. `service` is the host that people know this instance by. */
export type Writer = { service: string }

/** `name` is '' for who has not confirmed the address: it may be a stranger's, and say anything. */
type Addressed = { to: string; name: string }
type Linked = Addressed & { href: string }

const NOT_YOU = 'If this was not you, ignore this email. Nothing happens without the link.'
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)

export const verifyEmailLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `Confirm your email for ${service}`,
  paragraphs: [
    hello(''),
    `You signed up for ${service} with this email address. Please confirm that it is yours.`,
  ],
  action: { label: 'Confirm email', href },
  notes: ['The link works once and expires in 24 hours.', NOT_YOU],
})

/** To somebody who signs up with an address that has an account: the page says the same as for a new one. */
export const alreadySignedUpLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `You already have an account at ${service}`,
  paragraphs: [
    hello(name),
    `Someone, probably you, tried to sign up for ${service} with this email address. It already has an account: sign in with your password.`,
  ],
  action: { label: 'Choose a new password', href },
  notes: ['The link works once and expires in 30 minutes.', NOT_YOU],
})

export const resetPasswordLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `Choose a new password for ${service}`,
  paragraphs: [hello(name), `Someone, probably you, asked to reset your password at ${service}.`],
  action: { label: 'Choose a new password', href },
  notes: [
    'The link works once and expires in 30 minutes. Choosing a new password signs out all your browsers.',
    NOT_YOU,
  ],
})

export const signInPausedLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `Too many wrong passwords at ${service}`,
  paragraphs: [
    hello(name),
    `Someone tried a hundred wrong passwords in a row for your account at ${service}. Your current password no longer works, so that no one can keep guessing. Choose a new one. Passkeys and browsers that are signed in still work.`,
  ],
  action: { label: 'Choose a new password', href },
  notes: [
    'The link works once and expires in 30 minutes. After that, request another one on the sign-in page.',
  ],
})

export const changeEmailLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `Confirm your new email for ${service}`,
  paragraphs: [hello(''), `Confirm this email address to use it for your account at ${service}.`],
  action: { label: 'Confirm new email', href },
  notes: [
    'The link works once and expires in 24 hours. Your old email address stays in use until you confirm.',
    NOT_YOU,
  ],
})

/** To an address that somebody wants to move to, and that has an account of its own. */
export const emailTakenLetter = ({ service }: Writer, { to, name }: Addressed): Letter => ({
  to,
  subject: `Your email at ${service} was not changed`,
  paragraphs: [
    hello(name),
    `Another account at ${service} asked to use this email address. It belongs to your account, so nothing was changed.`,
  ],
  notes: ['To use it for the other account, change the email of this one or delete it first.'],
})

export const emailChangedLetter = (
  { service }: Writer,
  { to, name, email }: Addressed & { email: string },
): Letter => ({
  to,
  subject: `Your email at ${service} was changed`,
  paragraphs: [hello(name), `Your account at ${service} now uses the email address ${email}.`],
  notes: ['If this was not you, contact the operator of this server: someone else knows your password.'],
})

export const passwordChangedLetter = ({ service }: Writer, { to, name }: Addressed): Letter => ({
  to,
  subject: `Your password at ${service} was changed`,
  paragraphs: [
    hello(name),
    `Your password at ${service} was just changed, and your other browsers were signed out.`,
  ],
  notes: ['If this was not you, reset your password on the sign-in page.'],
})

export const invitationLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `You are invited to ${service}`,
  paragraphs: [hello(''), `You have been invited to create short links at ${service}.`],
  action: { label: 'Sign up', href },
  notes: ['The link works once, for this email address only, and expires in 7 days.'],
})
