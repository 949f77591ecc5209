import type { Writer } from './account-emails.ts'
import type { EmailTemplate } from './email-template.ts'

type DomainNotice = { to: string; domain: string; href: string }

export const domainTakenTemplate = (
  { service }: Writer,
  { to, domain, href }: DomainNotice,
): EmailTemplate => ({
  to,
  subject: `${domain} is now used by somebody else at ${service}`,
  paragraphs: [
    'Hello,',
    `Somebody else at ${service} has proven that they control ${domain}. Your short links on it no longer work there; they and their analytics stay.`,
  ],
  action: { label: 'See domains', href },
  notes: ['If the domain is yours, set its record again and verify it: the last proof counts.'],
})

/** `failure`: why it does not lead here yet. */
export const domainVerifiedTemplate = (
  { service }: Writer,
  { to, domain, href, failure }: DomainNotice & { failure: string | undefined },
): EmailTemplate => ({
  to,
  subject: `${domain} is verified at ${service}`,
  paragraphs: [
    'Hello,',
    failure === undefined
      ? `Its record was found, so you can create short links on ${domain} now.`
      : `Its record was found, so you can create short links on ${domain} now. They cannot be opened yet: ${failure}`,
  ],
  action: { label: 'See domains', href },
  notes: ['You get this email because you have added the domain, or are an admin where it was added.'],
})

export const domainFailingTemplate = (
  { service }: Writer,
  { to, domain, href, failure }: DomainNotice & { failure: string },
): EmailTemplate => ({
  to,
  subject: `${domain} has not led to ${service} for a week`,
  paragraphs: [
    'Hello,',
    `Short links on ${domain} cannot be opened. ${failure}`,
    'Nothing was removed: the links work again as soon as the domain leads here.',
  ],
  action: { label: 'See domains', href },
  notes: ['You get this email once, because you are an admin of the workspace.'],
})
