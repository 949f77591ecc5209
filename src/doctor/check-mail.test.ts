import { afterEach, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { type MailServer, startMailServer } from '../../test/rigs/outside/mail-server.ts'
import { mailProblems } from './check-mail.ts'

let server: MailServer | undefined
let secured: SMTPServer | undefined
afterEach(async () => {
  await server?.stop()
  await new Promise<void>((done) => (secured === undefined ? done() : secured.close(() => done())))
  server = secured = undefined
})

test('without a mail server there is nothing to check', async () => {
  expect(await check(undefined)).toEqual([])
})

test('a mail server that answers is fine, and gets no email', async () => {
  server = await startMailServer()
  expect(await check(server.url)).toEqual([])
  expect(server.mails).toEqual([])
})

test('a closed port is named', async () => {
  server = await startMailServer()
  const { host } = new URL(server.url)
  await server.stop()
  server = undefined
  expect(await says(`smtp://ann:hunter2@${host}`)).toBe(
    `Emails cannot be sent. Nothing listens at the port of SMTP_URL (connect ECONNREFUSED ${host}). Check host and port, and that the mail server runs.`,
  )
})

test.each([
  ['TLS from the start', { secure: true }, 'smtps'],
  ['STARTTLS', {}, 'smtp'],
])('a certificate that is not trusted is named, with %s', async (_, options, scheme) => {
  const port = await startSecured(options)
  expect(await says(`${scheme}://ann:hunter2@127.0.0.1:${port}`)).toMatch(
    /^Emails cannot be sent\. The certificate of the mail server was refused \(.+\)\. Use the host name that it is for in SMTP_URL, renew it, or name its authority in NODE_EXTRA_CA_CERTS\.$/,
  )
})

test('a port that speaks no TLS is named', async () => {
  server = await startMailServer()
  expect(await says(server.url.replace('smtp:', 'smtps:'))).toEndWith(
    'Use smtp:// for ports 25 and 587, smtps:// for port 465.',
  )
})

test('a wrong password is named', async () => {
  const port = await startSecured({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, answer) => answer(new Error('ann@example.com is unknown')),
  })
  expect(await says(`smtp://ann:hunter2@127.0.0.1:${port}`)).toBe(
    'Emails cannot be sent. The mail server refused the user name or the password. Check both in SMTP_URL, with # / ? @ % percent-encoded.',
  )
})

const check = (smtpUrl: string | undefined) =>
  mailProblems({ smtpUrl, mailFrom: 'links@s.example', baseUrl: 'https://s.example' })

/** With the certificate of the library, which nobody trusts. */
async function startSecured(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<number> {
  secured = new SMTPServer({ authOptional: true, logger: false, ...options })
  secured.on('error', () => {})
  await new Promise<void>((resolve) => secured!.listen(0, '127.0.0.1', resolve))
  return (secured.server.address() as { port: number }).port
}

const says = async (smtpUrl: string) => {
  const [finding, ...others] = await check(smtpUrl)
  expect(others).toEqual([])
  expect(finding).toMatchObject({ severity: 'fault' })
  expect(finding!.message).not.toContain('hunter')
  return finding!.message
}
