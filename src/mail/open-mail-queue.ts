import { join } from 'node:path'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../runtime/log.ts'
import type { EmailTemplate } from './email-template.ts'
import { mailLibrary } from './mail-library.ts'
import { mailOf, openOutbox } from './outbox.ts'
import { MailQueue, type MailQueueDeps } from './mail-queue.ts'

const CONNECT_MS_MAX = 10_000
const SILENCE_MS_MAX = 30_000

export type OpenMailQueueDeps = {
  log: Log
  clock: Clock
  metrics: MailQueueDeps['metrics']
  print(line: string): void
}

export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** Without a mail server, emails go to the outbox. */
export function openMailQueue(
  { log, clock, metrics, print }: OpenMailQueueDeps,
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
): MailQueue {
  if (smtpUrl === undefined) {
    return new MailQueue({
      send: openOutbox({ folder: outboxFolder(dataDir), from: mailFrom, clock, print }),
      log,
      metrics,
    })
  }
  let transport: ReturnType<typeof openTransport> | undefined
  const send = async (letter: EmailTemplate) => {
    transport ??= openTransport({ smtpUrl, mailFrom })
    await (await transport).sendMail(mailOf(letter))
  }
  return new MailQueue({ send, log, metrics })
}

async function openTransport({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }) {
  const { createTransport } = await mailLibrary()
  return createTransport(
    {
      url: smtpUrl,
      connectionTimeout: CONNECT_MS_MAX,
      greetingTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
    },
    { from: mailFrom },
  )
}
