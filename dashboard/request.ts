import { noteConnection } from './connection.ts'
import { tellTabs } from './other-tabs.ts'

/** Why the server said no, or could not be asked. */
export type FailureKind =
  'offline' | 'signed-out' | 'forbidden' | 'not-found' | 'conflict' | 'invalid' | 'too-many' | 'fault'

/** Field name to sentences, as in the API's errors: `links.3.original_url` in bulk. */
export type FieldErrors = Record<string, string[]>

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details: {
      fields?: FieldErrors
      requestId?: string | undefined
      retryAfterSeconds?: number
    } = {},
  ) {
    super(message)
  }

  get fields(): FieldErrors {
    return this.details.fields ?? {}
  }
}

const KIND_OF: Record<number, FailureKind> = {
  401: 'signed-out',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  422: 'invalid',
  429: 'too-many',
}

const AWAY = new Set([502, 503, 504])

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type RequestOptions = {
  body?: unknown
  query?: Query
  /** Sent again with the same key, the request is not done again. */
  idempotencyKey?: string
  signal?: AbortSignal
}
export type Query = Record<string, string | number | undefined>

const API = '/dashboard/api'

/** The address of an endpoint, for what the browser itself loads. */
export function apiAddress(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return API + path + (search.size > 0 ? `?${search}` : '')
}

/** One request to the dashboard's own endpoints; anything but success is thrown as a RequestFailure. */
export async function request<Answer>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { body, query, idempotencyKey, signal } = options
  let response: Response
  try {
    response = await fetch(apiAddress(path, query), {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    noteConnection(false)
    throw new RequestFailure('offline', 'The server cannot be reached.')
  }
  const answer: unknown = await response.json().catch(() => undefined)
  // A proxy answers for a server that is away, in words of its own.
  const answers = answer !== undefined || !AWAY.has(response.status)
  noteConnection(answers)
  if (!answers) throw new RequestFailure('offline', 'The server cannot be reached.')
  if (response.ok && answer !== undefined) {
    if (method !== 'GET') tellTabs('data')
    return answer as Answer
  }
  throw failureOf(response, answer as { message?: string; errors?: FieldErrors } | undefined)
}

function failureOf(
  response: Response,
  answer: { message?: string; errors?: FieldErrors } | undefined,
): RequestFailure {
  const seconds = Number(response.headers.get('Retry-After'))
  return new RequestFailure(
    KIND_OF[response.status] ?? 'fault',
    answer?.message ?? 'The server gave no answer.',
    {
      fields: answer?.errors ?? {},
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    },
  )
}
