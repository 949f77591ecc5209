import type { Letter } from './letter.ts'

/** The words of every mail. `service` is the host that people know this instance by. */
export type Writer = { service: string }

/** `name` is '' for who has not confirmed the address: it may be a stranger's, and say anything. */
type Addressed = { to: string; name: string }
type Linked = Addressed & { href: string }

const NOT_YOU = 'If this was not you, you need do nothing: without the link nothing happens.'
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)

export const verifyEmailLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `Confirm your address for ${service}`,
  paragraphs: [hello(''), `you have signed up for ${service} with this address. Confirm that it is yours.`],
  action: { label: 'Confirm the address', href },
  notes: ['The link works once, within 24 hours.', NOT_YOU],
})

/** To somebody who signs up with an address that has an account: the page says the same as for a new one. */
export const alreadySignedUpLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `You already have an account at ${service}`,
  paragraphs: [
    hello(name),
    `somebody, probably you, wanted to sign up for ${service} with this address. It has an account already: sign in with the password you chose then.`,
  ],
  action: { label: 'Choose a new password', href },
  notes: ['The link works once, within 30 minutes.', NOT_YOU],
})

export const resetPasswordLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `Choose a new password for ${service}`,
  paragraphs: [hello(name), `somebody, probably you, has asked for a new password at ${service}.`],
  action: { label: 'Choose a new password', href },
  notes: ['The link works once, within 30 minutes. All your browsers will be signed out.', NOT_YOU],
})

export const signInPausedLetter = ({ service }: Writer, { to, name, href }: Linked): Letter => ({
  to,
  subject: `Too many wrong passwords at ${service}`,
  paragraphs: [
    hello(name),
    `a hundred wrong passwords in a row were tried for your account at ${service}. The password you have now is no longer taken, so that nobody can go on guessing. Choose a new one; passkeys and browsers that are signed in still work.`,
  ],
  action: { label: 'Choose a new password', href },
  notes: ['The link works once, within 30 minutes. Later, ask for another one where you sign in.'],
})

export const changeEmailLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `Confirm your new address for ${service}`,
  paragraphs: [hello(''), `this is to be the new address of your account at ${service}.`],
  action: { label: 'Confirm the new address', href },
  notes: ['The link works once, within 24 hours. Until then the old address stays.', NOT_YOU],
})

/** To an address that somebody wants to move to, and that has an account of its own. */
export const emailTakenLetter = ({ service }: Writer, { to, name }: Addressed): Letter => ({
  to,
  subject: `Your address at ${service} was not changed`,
  paragraphs: [
    hello(name),
    `another account at ${service} was to get this address. It is the address of your account, so nothing was changed.`,
  ],
  notes: ['To use it for the other account, change or delete this one first.'],
})

export const emailChangedLetter = (
  { service }: Writer,
  { to, name, email }: Addressed & { email: string },
): Letter => ({
  to,
  subject: `Your account at ${service} has another address`,
  paragraphs: [hello(name), `your account at ${service} now has the address ${email}.`],
  notes: ['If this was not you, tell whoever runs the service: somebody else knows your password.'],
})

export const passwordChangedLetter = ({ service }: Writer, { to, name }: Addressed): Letter => ({
  to,
  subject: `Your password at ${service} was changed`,
  paragraphs: [
    hello(name),
    `your password at ${service} was changed just now, and your other browsers are signed out.`,
  ],
  notes: ['If this was not you, ask for a new password where you sign in.'],
})

export const invitationLetter = ({ service }: Writer, { to, href }: Omit<Linked, 'name'>): Letter => ({
  to,
  subject: `You are invited to ${service}`,
  paragraphs: [hello(''), `you have been invited to shorten links at ${service}.`],
  action: { label: 'Sign up', href },
  notes: ['The link works once, within 7 days, and for this address only.'],
})
