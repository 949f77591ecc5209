import { expect, test } from 'bun:test'
import { isStandInTitle } from './stand-in-title.ts'

test.each([
  'Just a moment...',
  'Just a moment…',
  'Einen Moment, bitte…',
  'Un momento…',
  'Attention Required! | Cloudflare',
  'Access denied',
  'Access Denied | www.example.com used Cloudflare to restrict access',
  'Access to this page has been denied.',
  'Access to this page has been denied',
  'DDoS-Guard',
  'Checking your browser before accessing example.com',
  'Vercel Security Checkpoint',
  'Pardon Our Interruption',
  'Robot Check',
  'Are you a robot?',
  'Verify you are human',
  '403 Forbidden',
  'Error 404',
  '404',
  '503 Service Temporarily Unavailable',
  '502: Bad gateway',
  'Request Rejected',
  'Please wait...',
  'Loading…',
])('%j is no title', (title) => expect(isStandInTitle(title)).toBe(true))

test.each([
  '',
  'Example Domain',
  'Just a Moment in Time: Short Stories',
  'A moment of calm | Cloudflare',
  'How to fix "Access denied" errors',
  'Access denied: a history of locks',
  '404 ways to cook rice',
  '501 French Verbs',
  'Error handling in Go',
  'Loading and unloading zones in Berlin',
  'Blocked drains and what to do',
  'Human verification in practice, a study',
])('%j is one', (title) => expect(isStandInTitle(title)).toBe(false))
