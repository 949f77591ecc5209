import type { EmailTemplate } from './email-template.ts'

/** `service` is the host of this instance. */
export type Writer = { service: string }

/** `name` is '' for an unverified email, because a stranger may have chosen it. */
type Addressed = { to: string; name: string }
type Linked = Addressed & { href: string }

const NOT_YOU = 'If this was not you, ignore this email. Nothing happens without the link.'
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)

export const verifyEmailTemplate = (
  { service }: Writer,
  { to, href }: Omit<Linked, 'name'>,
): EmailTemplate => ({
  to,
  subject: `Confirm your email for ${service}`,
  paragraphs: [
    hello(''),
    `You signed up for ${service} with this email address. Please confirm that it is yours.`,
  ],
  action: { label: 'Confirm email', href },
  notes: ['The link works once and expires in 24 hours.', NOT_YOU],
})

/** Sent when somebody signs up with an email that has an account. The page looks the same as for a new one. */
export const alreadySignedUpTemplate = ({ service }: Writer, { to, name, href }: Linked): EmailTemplate => ({
  to,
  subject: `You already have an account at ${service}`,
  paragraphs: [
    hello(name),
    `Someone, probably you, tried to sign up for ${service} with this email address. It already has an account: sign in with your password.`,
  ],
  action: { label: 'Choose a new password', href },
  notes: ['The link works once and expires in 30 minutes.', NOT_YOU],
})

export const resetPasswordTemplate = ({ service }: Writer, { to, name, href }: Linked): EmailTemplate => ({
  to,
  subject: `Choose a new password for ${service}`,
  paragraphs: [hello(name), `Someone, probably you, asked to reset your password at ${service}.`],
  action: { label: 'Choose a new password', href },
  notes: [
    'The link works once and expires in 30 minutes. Choosing a new password signs out all your browsers.',
    NOT_YOU,
  ],
})

export const signInPausedTemplate = ({ service }: Writer, { to, name, href }: Linked): EmailTemplate => ({
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

export const changeEmailTemplate = (
  { service }: Writer,
  { to, href }: Omit<Linked, 'name'>,
): EmailTemplate => ({
  to,
  subject: `Confirm your new email for ${service}`,
  paragraphs: [hello(''), `Confirm this email address to use it for your account at ${service}.`],
  action: { label: 'Confirm new email', href },
  notes: [
    'The link works once and expires in 24 hours. Your old email address stays in use until you confirm.',
    NOT_YOU,
  ],
})

/** Sent when somebody changes to an email that has an account. */
export const emailTakenTemplate = ({ service }: Writer, { to, name }: Addressed): EmailTemplate => ({
  to,
  subject: `Your email at ${service} was not changed`,
  paragraphs: [
    hello(name),
    `Another account at ${service} asked to use this email address. It belongs to your account, so nothing was changed.`,
  ],
  notes: ['To use it for the other account, change the email of this one or delete it first.'],
})

export const emailChangedTemplate = (
  { service }: Writer,
  { to, name, email }: Addressed & { email: string },
): EmailTemplate => ({
  to,
  subject: `Your email at ${service} was changed`,
  paragraphs: [hello(name), `Your account at ${service} now uses the email address ${email}.`],
  notes: ['If this was not you, contact the operator of this server: someone else knows your password.'],
})

export const passwordChangedTemplate = ({ service }: Writer, { to, name }: Addressed): EmailTemplate => ({
  to,
  subject: `Your password at ${service} was changed`,
  paragraphs: [
    hello(name),
    `Your password at ${service} was just changed, and your other browsers were signed out.`,
  ],
  notes: ['If this was not you, reset your password on the sign-in page.'],
})

export const invitationTemplate = (
  { service }: Writer,
  { to, href }: Omit<Linked, 'name'>,
): EmailTemplate => ({
  to,
  subject: `You are invited to ${service}`,
  paragraphs: [hello(''), `You have been invited to create short links at ${service}.`],
  action: { label: 'Sign up', href },
  notes: ['The link works once, for this email address only, and expires in 7 days.'],
})

type WorkspaceInvited = Omit<Linked, 'name'> & { workspace: string; inviter: string }

export const workspaceInvitationTemplate = (
  { service }: Writer,
  { to, href, workspace, inviter }: WorkspaceInvited,
): EmailTemplate => ({
  to,
  subject: `You are invited to a workspace at ${service}`,
  paragraphs: [hello(''), `${inviter} has invited you to the workspace “${workspace}” at ${service}.`],
  action: { label: 'Accept invitation', href },
  notes: ['The link works once, for this email address only, and expires in 7 days.'],
})
