import { join } from 'node:path'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../runtime/log.ts'
import { openOutbox } from './outbox.ts'
import { smtpSender } from './smtp-sender.ts'
import { MailQueue, type MailQueueDeps } from './mail-queue.ts'

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
  { smtpUrl, mailFrom, baseUrl, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl' | 'dataDir'>,
): MailQueue {
  if (smtpUrl === undefined) {
    return new MailQueue({
      send: openOutbox({ folder: outboxFolder(dataDir), from: mailFrom, clock, print }),
      log,
      metrics,
    })
  }
  return new MailQueue({ send: smtpSender({ smtpUrl, mailFrom, baseUrl }), log, metrics })
}
