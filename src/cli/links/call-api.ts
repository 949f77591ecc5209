import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { baseUrl as serverUrl, token } from '../../config/setting-kinds.ts'
import { type FieldErrors, Refusal } from '../../errors/refusal.ts'
import { fileErrorReason } from '../../runtime/file-error.ts'
import { VERSION } from '../../runtime/version.ts'
import type { Call } from '../command.ts'
import { type Fields, readTextFile } from './field-options.ts'

const ANSWER_MS_MAX = 30_000

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Fields
  body?: Fields
}

export type ApiAnswer = { success: true; message: string; data?: unknown; meta?: unknown }
type RefusalBody = { success: false; message: string; errors: FieldErrors }

/** What the API refused. */
export class ApiRefusal extends Refusal {
  /** The body of the response, as it was sent. */
  readonly sent: string

  constructor(sent: string, message: string, fields: FieldErrors) {
    super('command_failed', message, { fields })
    this.sent = sent
  }
}

export type Server = { url: string; key: string }
type Settings = Pick<Config, 'baseUrl' | 'apiKey'>

export const SERVER_OPTIONS = {
  server: { type: 'string', value: 'url', meaning: 'The URL of the server; default: BASE_URL.' },
  'key-file': {
    type: 'string',
    value: 'file',
    meaning: 'A file that has the API key; default: the key in TERN_API_KEY.',
  },
} as const

/** The server that the options and settings name. */
export function serverOf(call: Call, { baseUrl, apiKey }: Settings): Server {
  const server = call.text('server')
  const url = server === undefined ? baseUrl : serverUrl.read(server)
  if (url === undefined) throw new Refusal('command_failed', `--server must be ${serverUrl.allowed}.`)
  const file = call.text('key-file')
  const key = file === undefined ? apiKey : token.read(readTextFile(file).trim())
  if (key !== undefined) return { url, key }
  throw new Refusal(
    'command_failed',
    file === undefined
      ? 'An API key is needed: set TERN_API_KEY, or name a file that has it with --key-file.'
      : `There is no API key in ${file}.`,
  )
}

/** The answer, also as it was sent. Throws a refusal with the sentences of the API. */
export async function callApi(
  server: Server,
  request: ApiRequest,
): Promise<{ answer: ApiAnswer; sent: string }> {
  const { response, sent } = await silenceEnds(server, async (signal) => {
    const answered = await send(server, request, signal)
    return { response: answered, sent: await answered.text() }
  })
  const answer = answerIn(sent)
  if (answer?.success === true) return { answer, sent }
  throw refusedBy(server, response, sent)
}

function refusedBy(server: Server, response: Response, sent: string): Refusal {
  const answer = answerIn(sent)
  return answer?.success === false ? refusalOf({ ...answer, sent }, response) : notTern(server, response)
}

/** `begin` is called once the server sends the file, before it is written. */
type Download = { path: string; begin(): Promise<void> }

/** Writes an answer of any length to a file, which is whole or not there. Throws a refusal with the sentences of the API. */
export async function downloadFromApi(
  server: Server,
  request: ApiRequest,
  { path, begin }: Download,
): Promise<void> {
  await silenceEnds(server, async (signal, heard) => {
    const response = await send(server, request, signal)
    const { body } = response
    if (!response.ok || body === null) throw refusedBy(server, response, await response.text())
    await begin()
    await writeWhole(path, async (file) => {
      for await (const bytes of body) {
        heard()
        await file.writeFile(bytes).catch(cannotWrite(path))
      }
    })
  })
}

/** Leaves nothing of a file that could not be written to its end. */
async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const unfinished = `${path}.part`
  const file = await open(unfinished, 'w').catch(cannotWrite(path))
  try {
    try {
      await write(file)
      await file.sync().catch(cannotWrite(path))
    } finally {
      await file.close()
    }
    await rename(unfinished, path).catch(cannotWrite(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export const cannotWrite = (path: string) => (error: unknown) => {
  throw new Refusal('command_failed', `${path} cannot be written: ${fileErrorReason(error)}.`)
}

/** Ends what waits for a server once nothing was heard of it for a while. */
async function silenceEnds<Result>(
  { url }: Server,
  work: (signal: AbortSignal, heard: () => void) => Promise<Result>,
): Promise<Result> {
  const silence = new AbortController()
  const end = () => silence.abort(new DOMException('Nothing was sent.', 'TimeoutError'))
  let timer = setTimeout(end, ANSWER_MS_MAX)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(end, ANSWER_MS_MAX)
  }
  try {
    return await work(silence.signal, heard)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, name } = error as NodeJS.ErrnoException
    const why = typeof code === 'string' ? code : name
    throw new Refusal('command_failed', `${url} does not respond (${why}). ${CHECK}`)
  } finally {
    clearTimeout(timer)
  }
}

function send({ url, key }: Server, { method, path, query = {}, body }: ApiRequest, signal: AbortSignal) {
  // Answers to what is sent are short, or as long as it. To compress them would take a server longer than to send them.
  const json = body === undefined ? {} : { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' }
  return fetch(`${url}${path}${queryOf(query)}`, {
    method,
    headers: { 'X-API-Key': key, 'User-Agent': `tern/${VERSION}`, ...json },
    body: body === undefined ? null : JSON.stringify(body),
    // The key is for this server only, and a redirected POST would become a GET.
    redirect: 'manual',
    signal,
  })
}

const CHECK = 'Check BASE_URL or --server.'

function queryOf(query: Fields): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function answerIn(sent: string): ApiAnswer | RefusalBody | undefined {
  try {
    const answer: unknown = JSON.parse(sent)
    const isOurs = typeof answer === 'object' && answer !== null && 'success' in answer
    return isOurs ? (answer as ApiAnswer | RefusalBody) : undefined
  } catch {
    return undefined
  }
}

function notTern({ url }: Server, { headers, status }: Response): Refusal {
  const elsewhere = headers.get('Location')
  return new Refusal(
    'command_failed',
    elsewhere === null
      ? `${url} does not answer as Tern does (status ${status}). ${CHECK}`
      : `${url} redirects to ${elsewhere}. ${CHECK}`,
  )
}

function refusalOf(
  { message, errors, sent }: RefusalBody & { sent: string },
  { headers, status }: Response,
): ApiRefusal {
  const seconds = headers.get('Retry-After')
  const retry = seconds === null ? '' : ` Try again in ${seconds} seconds.`
  // A fault of the server: its log says more.
  const requestId = status >= 500 && seconds === null ? ` X-Request-Id: ${headers.get('X-Request-Id')}` : ''
  return new ApiRefusal(sent, message + retry + requestId, errors)
}
