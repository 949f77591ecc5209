import type { EmailTemplate } from './email-template.ts'
import type { Writer } from './account-emails.ts'

/**
 * Notifies a user of a change that affects security. `device` is our name for the browser. Names of keys and passkeys are left
 * out, because an attacker could write anything there.
 */
export type SecurityNotice = { to: string; name: string; device: string; href: string }

const IF_YOU = 'If this was you, there is nothing to do.'

export const passkeyAddedTemplate = ({ service }: Writer, notice: SecurityNotice): EmailTemplate => ({
  ...templateOf(notice, `A passkey was added to your account at ${service}`),
  paragraphs: [
    `Hello ${notice.name},`,
    `A passkey was just added to your account at ${service}, in ${notice.device}. Anyone who has it can sign in without your password.`,
  ],
  notes: [
    IF_YOU,
    'If it was not you, remove the passkey, change your password, and sign out all other browsers right away.',
  ],
})

/** `provider`: its name, which the operator has chosen. */
export const identityLinkedTemplate = (
  { service }: Writer,
  { provider, ...notice }: SecurityNotice & { provider: string },
): EmailTemplate => ({
  ...templateOf(notice, `Your account at ${service} was linked to ${provider}`),
  paragraphs: [
    `Hello ${notice.name},`,
    `Your account at ${service} was just linked to an account at ${provider}, in ${notice.device}. Anyone who can sign in to that account can sign in to yours.`,
  ],
  notes: [
    IF_YOU,
    'If it was not you, unlink it, change your password, and sign out all other browsers right away.',
  ],
})

export const twoFactorOffTemplate = ({ service }: Writer, notice: SecurityNotice): EmailTemplate => ({
  ...templateOf(notice, `Two-factor sign-in was turned off at ${service}`),
  paragraphs: [
    `Hello ${notice.name},`,
    `Two-factor sign-in for your account at ${service} was just turned off, in ${notice.device}. Your password alone is now enough to sign in.`,
  ],
  notes: [
    IF_YOU,
    'If it was not you, change your password, sign out all other browsers, and turn two-factor sign-in back on.',
  ],
})

export const keyCreatedTemplate = (
  { service }: Writer,
  { hint, ...notice }: SecurityNotice & { hint: string },
): EmailTemplate => ({
  ...templateOf(notice, `An API key was created at ${service}`),
  paragraphs: [
    `Hello ${notice.name},`,
    `An API key (${hint}) was just created for your account at ${service}, in ${notice.device}.`,
  ],
  notes: [
    IF_YOU,
    'If it was not you, revoke the key, change your password, and sign out all other browsers right away.',
  ],
})

const templateOf = ({ to, href }: SecurityNotice, subject: string) => ({
  to,
  subject,
  action: { label: 'Review your account', href },
})
