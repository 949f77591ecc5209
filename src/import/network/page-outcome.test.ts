import { expect, test } from 'bun:test'
import { pageOutcome } from './page-outcome.ts'

const KUTT = { title: 'Kutt', url: 'https://go.example' }

test.each<[failure: 'certificate' | 'port' | 'refused' | 'no-public-address', sentence: string]>([
  ['certificate', 'The certificate of https://go.example is not valid, so the key is not sent there.'],
  ['port', 'The port of https://go.example is not one that is connected to: 80, 443, 8080, 8443.'],
  ['refused', 'https://go.example leads nowhere: it redirects too often. Check the URL.'],
  ['no-public-address', 'The host of https://go.example is not known. Check the URL.'],
])('a request that ends with %s is not sent again', (failure, refused) => {
  expect(pageOutcome({ failure }, KUTT, 0)).toEqual({ refused })
})

test('a request that took the server too long is sent again', () => {
  const answer = { status: 408, headers: { 'retry-after': '3' }, text: '' }
  expect(pageOutcome(answer, KUTT, 0)).toEqual({
    trouble: 'Kutt answers with status 408',
    retryUs: 3_000_000,
  })
})

test('what a server says of its content is shown only as far as it is a type', () => {
  const answer = { status: 200, headers: { 'content-type': 'TEXT/HTML; \u001b[31m' }, text: '<p>' }
  expect(pageOutcome(answer, KUTT, 0)).toEqual({
    refused:
      'https://go.example does not answer as the API of Kutt does: it sent text/html, not JSON. Check the URL.',
  })
})
