import { readUserAgent } from '../clicks/visitor/read-user-agent.ts'
import { isPreviewFetcher } from './preview-fetchers.ts'
import type { Visit } from './visit.ts'

/** Not a program that only looks: a crawler, a link preview, or HEAD. */
export function isVisitor({ method, header }: Visit): boolean {
  if (method === 'HEAD') return false
  const userAgent = header('user-agent')
  return !isPreviewFetcher(userAgent) && !readUserAgent(userAgent ?? '').isBot
}
