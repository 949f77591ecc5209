import { expect, test } from 'bun:test'
import { isDocumented, undocumentedParts } from './documented-answer.ts'

const REDIRECT = {
  method: 'GET',
  path: '/launch?a=b',
  status: 302,
  headers: [['Location', 'https://example.com/']] as [string, string][],
  body: '',
}

test('an answer that the document describes passes, and each difference is named', () => {
  expect(undocumentedParts(REDIRECT)).toEqual([])
  const partsOf = (change: object) => undocumentedParts({ ...REDIRECT, ...change })
  expect(partsOf({ headers: [] })).toEqual(['the header Location is missing'])
  expect(partsOf({ headers: [...REDIRECT.headers, ['X-Secret', '1']] })).toEqual([
    'the header x-secret is not documented',
  ])
  expect(partsOf({ status: 304 })).toEqual(['the status is not documented'])
  expect(partsOf({ body: 'Moved' })).toEqual(['the body is not documented'])
  expect(partsOf({ path: '/qr/launch' })).toEqual(['the status is not documented'])
  expect(partsOf({ path: '/launch+' })).toEqual(['the status is not documented'])
})

test('short URLs, previews, QR codes and the API are documented, and pages are not', () => {
  const paths = ['/launch', '/launch?a', '/launch+', '/launch%2B', '/qr/launch', '/api/links', '/api/nothing']
  expect(paths.filter((path) => !isDocumented(path))).toEqual([])
  const pages = ['/', '/docs', '/dashboard', '/robots.txt', '/assets/site.css', '/report/launch', '/a/launch']
  expect(pages.filter(isDocumented)).toEqual([])
})
