import type { NewLink } from '../../../src/links/link-fields.ts'

/** A new link as it is after validation, for tests that do not create it by a request. */
export const newLinkTo = (href: string, rest: Partial<Omit<NewLink, 'original_url'>> = {}): NewLink => ({
  original_url: { text: href, href },
  title: '',
  custom_code: undefined,
  aliases: [],
  is_active: true,
  tags: [],
  ...rest,
})
