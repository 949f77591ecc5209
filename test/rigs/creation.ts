import type { CreateLinksInput } from '../../src/links/create-links.ts'

/** For changes of links without the service: nobody hears of them, and no log of codes is kept. */
export const UNHEARD = {
  changes: { changed() {} },
  codeLog: { async ready() {}, note() {}, async keep() {} },
  linksMax: {},
}

/** What createLinks gets for these links, without a request. */
export const creationOf = (links: CreateLinksInput['links']): CreateLinksInput => ({
  links,
  fieldName: (_, field) => field,
  answer: () => ({ status: 201, body: '' }),
  idempotent: undefined,
})
