import type { FieldErrorCodes } from '../../src/errors/field-codes.ts'
import type { RefusalCode } from '../../src/errors/refusal-codes.ts'
import { notifyTabs } from '../other-tabs.ts'
import { useSyncExternalStore } from 'react'

type FailureKind =
  'offline' | 'signed-out' | 'forbidden' | 'not-found' | 'conflict' | 'invalid' | 'too-many' | 'fault'

/** Messages by field name, as in the API's errors: `links.3.original_url` for bulk requests. */
export type FieldErrors = Record<string, string[]>

export type FailedAnswer = {
  code?: RefusalCode
  message?: string
  errors?: FieldErrors
  error_codes?: FieldErrorCodes
}

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details: {
      code?: RefusalCode | undefined
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
  /** A repeated request with the same key is executed once. */
  idempotencyKey?: string
  signal?: AbortSignal
}
type QueryValue = string | number | undefined
/** A list is a parameter that is repeated. */
export type Query = Record<string, QueryValue | readonly (string | number)[]>

const API = '/dashboard/api'

export function apiUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values: readonly QueryValue[] = typeof value === 'object' ? value : [value]
    for (const each of values) if (each !== undefined && each !== '') search.append(name, String(each))
  }
  return API + path + (search.size > 0 ? `?${search}` : '')
}

const HEADERS = { Accept: 'application/json' }

/** Of this tab. Other tabs may work in others. Undefined: the one that the browser has chosen. */
let workspace: number | undefined

export const workIn = (workspaceId: number | undefined): void => void (workspace = workspaceId)

/** The one that the URL of the page names, as links in emails do: the browser may have chosen another one. */
export function linkedWorkspace(): number | undefined {
  const id = Number(new URLSearchParams(location.search).get('workspace'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

const workspaceHeader = (): Record<string, string> =>
  workspace === undefined ? {} : { 'X-Workspace': String(workspace) }

/** For what sends no headers: streams, downloads, pictures. */
export const workspaceUrl = (path: string, query: Query = {}): string => apiUrl(path, { ...query, workspace })

const early = new Map<string, Promise<Response>>()

/** Sends a GET request before anything asks for it. The first request for the same URL gets its response. */
export function requestEarly(url: string): Promise<Response> {
  const response = fetch(url, {
    credentials: 'same-origin',
    headers: { ...HEADERS, ...workspaceHeader() },
  })
  early.set(url, response)
  const forget = () => early.delete(url)
  // A failure is not kept: after signing in, the same request may succeed.
  response.then(({ ok }) => ok || forget(), forget)
  return response
}

/** Of a request whose response somebody else has used. */
export const forgetEarly = (url: string): void => void early.delete(url)

function takeEarly(url: string): Promise<Response> | undefined {
  const response = early.get(url)
  early.delete(url)
  return response
}

/** Throws a RequestFailure unless the server responds with success. */
export async function request<Answer>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { query, signal } = options
  let response: Response
  try {
    const url = apiUrl(path, query)
    // A write may change what an early response says.
    if (method !== 'GET') early.clear()
    const earlyResponse = takeEarly(url)
    response = await (earlyResponse ?? send(url, method, options))
  } catch (cause) {
    if (signal?.aborted) throw cause
    noteConnection(false)
    throw new RequestFailure('offline', 'The server cannot be reached.')
  }
  const answer: unknown = await response.json().catch(() => undefined)
  // If the server is down, a proxy may respond with an error page of its own.
  const answers = answer !== undefined || !AWAY.has(response.status)
  noteConnection(answers)
  if (!answers) throw new RequestFailure('offline', 'The server cannot be reached.')
  if (response.ok && answer !== undefined) {
    if (method !== 'GET') notifyTabs('data')
    return answer as Answer
  }
  throw failureOf(response, await inPlainWords(response, answer as FailedAnswer | undefined))
}

/** Loaded with the first refusal: few visits have any. */
const inPlainWords = async (response: Response, answer: FailedAnswer | undefined) =>
  response.status === 422 && answer !== undefined
    ? import('./plain-errors.ts').then(
        ({ plainAnswer }) => plainAnswer(answer),
        () => answer,
      )
    : answer

/** The text of a file. Throws as `request` does. */
export async function requestText(path: string, query: Query): Promise<string> {
  try {
    const response = await send(apiUrl(path, query), 'GET', {})
    if (response.ok) return await response.text()
    throw failureOf(response, await response.json().catch(() => undefined))
  } catch (cause) {
    if (cause instanceof RequestFailure) throw cause
    throw new RequestFailure('offline', 'The server cannot be reached.')
  }
}

const send = (url: string, method: Method, { body, idempotencyKey, signal }: RequestOptions) =>
  fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      ...HEADERS,
      ...workspaceHeader(),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })

export function failureOf(response: Response, answer: FailedAnswer | undefined): RequestFailure {
  const seconds = Number(response.headers.get('Retry-After'))
  return new RequestFailure(
    KIND_OF[response.status] ?? 'fault',
    answer?.message ?? 'The server gave no answer.',
    {
      code: answer?.code,
      fields: answer?.errors ?? {},
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    },
  )
}

const KEY_BYTES = 16

/** Without HTTPS, crypto.randomUUID exists on localhost only. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

// Whether the server responded to the latest request.

let isAway = false
const listeners = new Set<() => void>()

function noteConnection(answers: boolean): void {
  if (isAway === !answers) return
  isAway = !answers
  for (const listener of listeners) listener()
}

export const isOffline = (): boolean => isAway

export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => isAway)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
