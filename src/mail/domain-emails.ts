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
