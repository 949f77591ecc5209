/** What a visitor is told, before it is known on which kind of connection. */
export type Answer = {
  status: 302 | 404 | 405 | 410 | 429 | 500 | 503
  /** Where a redirect leads: pure ASCII without blanks. */
  location?: string
  headers: Readonly<Record<string, string>>
  body: string
}

const REASONS: Record<Answer['status'], string> = {
  302: 'Found',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function asResponse({ status, location, headers, body }: Answer): Response {
  const response = new Response(body === '' ? null : body, { status, headers })
  if (location !== undefined) response.headers.set('Location', location)
  return response
}

/** How a connection wants its answer: the date in HTTP's form, whether it ends with it, and whether without content. */
export type AnswerForm = { date: string; closes: boolean; isHead: boolean }

/** The answer as it goes over an HTTP/1.1 connection. */
export function asText(
  { status, location, headers, body }: Answer,
  { date, closes, isHead }: AnswerForm,
): string {
  const place = location === undefined ? '' : `Location: ${location}\r\n`
  const end = closes ? 'Connection: close\r\n\r\n' : '\r\n'
  const length = body === '' ? 0 : Buffer.byteLength(body)
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\n${place}${linesOf(headers)}Date: ${date}\r\nContent-Length: ${length}\r\n${end}`
  return isHead || body === '' ? head : head + body
}

const knownLines = new WeakMap<Answer['headers'], string>()

/** Most answers are redirects, and share one set of headers. */
function linesOf(headers: Answer['headers']): string {
  let lines = knownLines.get(headers)
  if (lines === undefined) {
    lines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    knownLines.set(headers, lines)
  }
  return lines
}
