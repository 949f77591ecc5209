import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Letter } from './letter.ts'
import { mailLibrary } from './mail-library.ts'
import { mailOf, openOutbox } from './outbox.ts'
import { PostOffice, type PostOfficeDeps } from './post-office.ts'

const CONNECT_MS_MAX = 10_000
const SILENCE_MS_MAX = 30_000

export type OpenPostOfficeDeps = {
  log: Log
  clock: Clock
  metrics: PostOfficeDeps['metrics']
  print(line: string): void
}

export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

/** By the mail server of the settings; without one, into the outbox. */
export function openPostOffice(
  { log, clock, metrics, print }: OpenPostOfficeDeps,
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
): PostOffice {
  if (smtpUrl === undefined) {
    return new PostOffice({
      send: openOutbox({ folder: outboxFolder(dataDir), from: mailFrom, clock, print }),
      log,
      metrics,
    })
  }
  let transport: ReturnType<typeof openTransport> | undefined
  const send = async (letter: Letter) => {
    transport ??= openTransport({ smtpUrl, mailFrom })
    await (await transport).sendMail(mailOf(letter))
  }
  return new PostOffice({ send, log, metrics })
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
