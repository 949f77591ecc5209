import { failureOf, type Query, RequestFailure, workspaceUrl } from './request.ts'

/** Sends a part of a file. Throws as `request` does. */
export async function sendBytes(path: string, query: Query, bytes: Blob, signal: AbortSignal): Promise<void> {
  let response: Response
  try {
    response = await fetch(workspaceUrl(path, query), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { Accept: 'application/json', 'Content-Type': 'application/octet-stream' },
      body: bytes,
      signal,
    })
  } catch {
    throw new RequestFailure('offline', 'The server cannot be reached.')
  }
  if (!response.ok) throw failureOf(response, await response.json().catch(() => undefined))
}
