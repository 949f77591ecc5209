import { type Answered, type FailureReason, WEB_PORTS } from '../../destination-pages/guarded-client.ts'
import { parsedPage } from '../files/json-pages.ts'
import { retryTimeUs } from './retry-time.ts'

type ResponseHeaders = Answered['headers']

/** Where a source is. `url`: without a slash at its end. */
export type SourceServer = { title: string; url: string }

/** What came back for a page. `text`: undefined if it is too large. `cut`: the connection ended in the middle. */
export type PageAnswer =
  | { failure: FailureReason | 'cut' }
  | { status: number; headers: ResponseHeaders; redirectHost?: string; text: string | undefined }

/** `retryUs`: when the source says that requests are welcome again. */
type PageOutcome = { page: unknown } | { refused: string } | { trouble: string; retryUs?: number | undefined }

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429

/** A page, a sentence that ends the import, or the beginning of one about what may pass. The key is in none of them. */
export function pageOutcome(answer: PageAnswer, server: SourceServer, nowUs: number): PageOutcome {
  if ('failure' in answer) return failureOutcome(answer.failure, server)
  const { status, headers } = answer
  const { title } = server
  const retryUs = retryTimeUs(headers, nowUs)
  if (status === TOO_MANY_REQUESTS) return { trouble: `The limit of ${title} is reached`, retryUs }
  if (status >= 500 || status === REQUEST_TIMEOUT)
    return { trouble: `${title} answers with status ${status}`, retryUs }
  return status >= 200 && status < 300 ? pageIn(answer.text, headers, server) : refusedOutcome(answer, server)
}

function failureOutcome(failure: FailureReason | 'cut', { title, url }: SourceServer): PageOutcome {
  if (failure === 'certificate')
    return { refused: `The certificate of ${url} is not valid, so the key is not sent there.` }
  if (failure === 'no-public-address') return { refused: `The host of ${url} is not known. Check the URL.` }
  if (failure === 'port')
    return { refused: `The port of ${url} is not one that is connected to: ${WEB_PORTS.join(', ')}.` }
  if (failure === 'unreachable') return { trouble: `${title} does not respond` }
  if (failure === 'cut') return { trouble: `The answer of ${title} is cut off` }
  return { refused: `${url} leads nowhere: it redirects too often. Check the URL.` }
}

type Response = Exclude<PageAnswer, { failure: unknown }>

function refusedOutcome(
  { status, headers, redirectHost }: Response,
  { title, url }: SourceServer,
): PageOutcome {
  if (redirectHost !== undefined)
    return { refused: `${url} redirects to ${redirectHost}. The key is not sent there: name the right URL.` }
  // A 403 in HTML is the page of a proxy or of a firewall, which does not know the key.
  const isOfKey = status === 401 || (status === 403 && !isHtml(headers))
  if (isOfKey) return { refused: `${title} refuses this key. Create one that may read links.` }
  return {
    refused: `${url} does not answer as the API of ${title} does (status ${status}). Check the URL.`,
  }
}

const isHtml = (headers: ResponseHeaders): boolean => typeOf(headers) === 'text/html'

/** Without what is after it, and without anything that does not belong there. */
const typeOf = ({ 'content-type': type = '' }: ResponseHeaders): string =>
  /^[\w.+/-]{1,60}/.exec(type.trim().toLowerCase())?.[0] ?? 'no type'

function pageIn(
  text: string | undefined,
  headers: ResponseHeaders,
  { title, url }: SourceServer,
): PageOutcome {
  if (text === undefined)
    return { refused: `A page of ${title} is too large to be read. Import a file instead.` }
  if (!/^\s*[[{]/.test(text))
    return {
      refused: `${url} does not answer as the API of ${title} does: it sent ${typeOf(headers)}, not JSON. Check the URL.`,
    }
  const page = parsedPage(text)
  // Of an answer that ends too early, some proxies say nothing.
  return 'refused' in page
    ? { trouble: `A page of ${title} ${page.refused.slice(0, -1)}` }
    : { page: page.value }
}
