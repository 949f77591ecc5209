import { SMTPServer } from 'smtp-server'

type ReceivedMail = { from: string; to: string[]; source: string }

export type MailServer = {
  url: string
  mails: ReceivedMail[]
  /** What clients have said in EHLO. */
  clientNames: string[]
  /** Replies that refuse the next recipients, one each. */
  refusals: number[]
  /** Whose emails are refused, for good. */
  refusedSenders: string[]
  /** An email is stored at once; that it is accepted is said only then. */
  acceptance: Promise<void>
  stop(): Promise<void>
}

/** A real mail server on its own port, which stores every email. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const clientNames: string[] = []
  const refusals: number[] = []
  const refusedSenders: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom({ address }, { hostNameAppearsAs: name }, answer) {
      clientNames.push(String(name))
      const isRefused = refusedSenders.includes(address)
      answer(isRefused ? Object.assign(new Error('Not you.'), { responseCode: 550 }) : null)
    },
    onRcptTo(_address, _session, answer) {
      const responseCode = refusals.shift()
      answer(responseCode === undefined ? null : Object.assign(new Error('Not now.'), { responseCode }))
    },
    onData(stream, { envelope }, taken) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        })
        void mailServer.acceptance.then(() => taken())
      })
    },
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = server.server.address() as { port: number }
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    clientNames,
    refusals,
    refusedSenders,
    acceptance: Promise.resolve(),
    stop: () => new Promise((done) => void server.close(() => done())),
  }
  return mailServer
}

/** The text and HTML parts of an email, decoded. */
export function partsOf(source: string): { headers: string; text: string; html: string } {
  const [headers = ''] = source.split('\r\n\r\n', 1)
  const boundary = /boundary="([^"]+)"/.exec(headers)![1]!
  const part = (type: string) => {
    const found = source.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`))!
    const [head = '', ...body] = found.split('\r\n\r\n')
    return decoded(head, body.join('\r\n\r\n'))
  }
  return {
    headers: headers.replaceAll(/\r\n[ \t]+/g, ' '),
    text: part('text/plain'),
    html: part('text/html'),
  }
}

function decoded(head: string, body: string): string {
  if (/base64/.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
