import { connect } from 'node:http2'

export type Http2Request = {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Buffer
}
export type Http2Answer = {
  status: number
  headers: Record<string, string>
  body: string
  /** Other than 0 when the stream was broken off: many clients then drop an answer that they already have. */
  resetCode: number
}

/** One request over an HTTP/2 connection of its own, to a proxy whose certificate nobody has signed. */
export function askHttp2(port: number, { method, path, headers, body }: Http2Request): Promise<Http2Answer> {
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  const answer = new Promise<Http2Answer>((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({ ':method': method, ':path': path, ...headers })
    const heard = { status: 0, headers: {} as Record<string, string>, body: '', resetCode: 0 }
    stream.setEncoding('utf8')
    stream.on('response', (received) => {
      for (const [name, value] of Object.entries(received)) heard.headers[name] = String(value)
      heard.status = Number(received[':status'])
    })
    stream.on('data', (text: string) => (heard.body += text))
    // What is broken off has its code.
    stream.on('error', () => {})
    stream.on('close', () => resolve({ ...heard, resetCode: stream.rstCode ?? 0 }))
    stream.end(body)
  })
  return answer.finally(() => session.close())
}
